export { People } from './people.tsx';
export { useReportedPresence } from './presence.ts';
export { Profile } from './profile.tsx';
export { StatusDialog, showStatus } from './status-dialog.tsx';
