import * as actions from '@parley/actions';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/** People beyond this number wait for the next run. */
const perRunMax = 1000;

/** Has digests sent to people of organizations that want them, on their day of the week. */
export const digestsJob: RecurringJob = {
  name: 'digests',
  everySeconds: 600,
  async run({ engine: { db }, mailer, queues, clock }) {
    if (!mailer.isAvailable) return { enqueued: 0 };
    const now = new Date(clock.nowMs());
    const readers = await model.digests.listDigestReaders(db, now, perRunMax);
    for (const reader of readers) {
      for (const job of await actions.digests.schedule(db, reader, now)) queues.enqueue(job);
    }
    return { enqueued: readers.length };
  },
};
