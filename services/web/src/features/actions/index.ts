export { ActionDialogs } from './dialogs.tsx';
export { EditBox } from './edit-box.tsx';
export { MessageActions } from './message-actions.tsx';
export { useMessageKeys } from './message-keys.ts';
export { PendingActions } from './pending-actions.tsx';
export { Reactions } from './reactions.tsx';
export { TopicActions } from './topic-actions.tsx';
export { Widget, hasWidget } from './widget.tsx';
