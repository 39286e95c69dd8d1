export { deviceName } from './device-name.ts';
export { followSession } from './device.ts';
export { useNotifications } from './notify.ts';
export { usePageTitle } from './page-title.ts';
export { ThisDevice } from './this-device.tsx';
export { runServiceWorker } from './worker-registration.ts';
