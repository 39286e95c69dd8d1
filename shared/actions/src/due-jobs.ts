import type { Actor } from '@parley/model';
import { type Job, scheduleTimes } from '@parley/protocol';

/** Returns the job that delivers what a user has due at a time, if that is soon. The sweep finds what is due later. */
export const dueJobs = ({ id, realm }: Pick<Actor, 'id' | 'realm'>, dueMs: number, nowMs: number): Job[] =>
  dueMs - nowMs > scheduleTimes.aheadMs ? [] : [{ name: 'deliver-due', id, realmId: realm.id, dueMs }];
