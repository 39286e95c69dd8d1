import * as actions from '@parley/actions';
import { sum } from '@parley/kit';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/** Changes beyond this number wait for the next run. */
const perRunMax = 1000;

/** Enqueues jobs again for mails that are not sent, and removes changes that nobody confirmed in time. */
export const sweepEmailChangesJob: RecurringJob = {
  name: 'sweep-email-changes',
  everySeconds: 60,
  async run({ engine, queues, clock }) {
    const now = new Date(clock.nowMs());
    const enqueued = await engine.sweep(async (db, realmIds) => {
      await actions.emailChanges.removeExpired(db, now, realmIds);
      const due = await model.emailChanges.listDueEmailChanges(db, { now, realmIds }, perRunMax);
      for (const change of due) queues.enqueue({ name: 'confirm-email', ...change });
      return due.length;
    });
    return { enqueued: sum(enqueued) };
  },
};
