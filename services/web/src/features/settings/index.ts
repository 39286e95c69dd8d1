export { displayGroups, notificationGroups, privacyRows } from './rows.ts';
export { Settings } from './settings.tsx';
