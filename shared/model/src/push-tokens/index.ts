export { listDevices } from './find.ts';
