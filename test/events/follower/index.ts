export type { ClientKind } from './clients.ts';
export { type Follower, asFollowed, follow, followAs } from './follow.ts';
export { missedKinds } from './missed-kinds.ts';
export { shown } from './shown.ts';
