import * as actions from '@parley/actions';
import { sum } from '@parley/kit';
import * as model from '@parley/model';
import { scheduleTimes } from '@parley/protocol';

import type { RecurringJob } from '../job.ts';

/** Users, and moments of users, beyond this number wait for the next run. */
const perRunMax = 10_000;

/**
 * Enqueues jobs for messages and reminders that are due soon, at their times, and again for those that are overdue. Ends
 * the schedules of organizations that are deactivated, and forgets what was sent.
 */
export const sweepDueJob: RecurringJob = {
  name: 'sweep-due',
  everySeconds: 5,
  async run({ engine, queues, clock }) {
    const now = new Date(clock.nowMs());
    const until = new Date(now.getTime() + scheduleTimes.aheadMs);
    const sentBefore = new Date(now.getTime() - scheduleTimes.rememberedMs);
    const enqueued = await engine.sweep(async (db, realmIds) => {
      await actions.scheduledMessages.failOfDeactivatedRealms(db, now, realmIds);
      await actions.scheduledMessages.removeSent(db, sentBefore, realmIds);
      const jobs = await model.deferred.listDueJobs(db, { now, until, realmIds }, perRunMax);
      for (const job of jobs) queues.enqueue(job);
      return jobs.length;
    });
    return { enqueued: sum(enqueued) };
  },
};
