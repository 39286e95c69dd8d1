import { sum } from '@parley/kit';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/** Realms beyond this number wait for the next run. */
const perRunMax = 2000;

/** Enqueues jobs for realms with many messages whose words have not been collected. */
export const sweepSearchTermsJob: RecurringJob = {
  name: 'sweep-search-terms',
  everySeconds: 5,
  async run({ engine, queues }) {
    const enqueued = await engine.sweep(async (db, realmIds) => {
      const waiting = { messages: model.messages.uncollectedMax, realmIds };
      const realms = await model.messages.listRealmsToCollect(db, waiting, perRunMax);
      for (const id of realms) queues.enqueue({ name: 'collect-search-terms', id });
      return realms.length;
    });
    return { enqueued: sum(enqueued) };
  },
};
