import { type PendingEvent, events, to } from '@parley/protocol';

/** Returns the entry by which nodes know that a user's sessions are others. No client is sent it. */
export const sessionsChangedEvent = (userId: number): PendingEvent => ({
  ...to.users([], events.keyRegenerated({})),
  revokes: [userId],
});
