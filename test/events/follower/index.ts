export type { ClientKind } from './clients.ts';
export { asFollowed, follow } from './follow.ts';
export { missedKinds } from './missed-kinds.ts';
export { shown } from './shown.ts';
