import { type Job, scheduleTimes } from '@parley/protocol';

/** Returns the job that delivers what a user has due at a time, if that is soon. The sweep finds what is due later. */
export const dueJobs = (userId: number, dueMs: number, nowMs: number): Job[] =>
  dueMs - nowMs > scheduleTimes.aheadMs ? [] : [{ name: 'deliver-due', id: userId, dueMs }];
