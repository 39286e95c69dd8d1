import * as actions from '@parley/actions';
import { sum } from '@parley/kit';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/** People beyond this number wait for the next run. */
const perRunMax = 1000;

/** Has digests sent to people of organizations that want them, on their day of the week. */
export const digestsJob: RecurringJob = {
  name: 'digests',
  everySeconds: 600,
  async run({ engine, mailer, queues, clock }) {
    if (!mailer.isAvailable) return { enqueued: 0 };
    const now = new Date(clock.nowMs());
    const enqueued = await engine.sweep(async (db, realmIds) => {
      const readers = await model.digests.listDigestReaders(db, { now, realmIds }, perRunMax);
      for (const reader of readers) {
        for (const job of await actions.digests.schedule(db, reader, now)) queues.enqueue(job);
      }
      return readers.length;
    });
    return { enqueued: sum(enqueued) };
  },
};
