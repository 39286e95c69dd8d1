export { DraftsView } from './drafts-view.tsx';
export { ScheduledView } from './scheduled-view.tsx';
export { TimeDialog } from './time-dialog.tsx';
