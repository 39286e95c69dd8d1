export { useNotifications } from './notify.ts';
export { usePageTitle } from './page-title.ts';
export { askPermission, permission } from './permission.ts';
