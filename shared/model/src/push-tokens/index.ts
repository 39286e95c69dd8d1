export { listBrowsers, listDevices, listPhones } from './find.ts';
