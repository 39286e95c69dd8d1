import { sum } from '@parley/kit';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/** Realms beyond this number wait for the next run. */
const realmsMax = 2000;

/** Enqueues jobs for realms of which the search engine does not have everything, where there is one and it answers. */
export const followForSearchJob: RecurringJob = {
  name: 'follow-for-search',
  everySeconds: 1,
  async run({ engine, queues, search, clock }) {
    if (!search?.isAvailable) return { enqueued: 0 };
    const now = new Date(clock.nowMs());
    const enqueued = await engine.sweep(async (db, realmIds) => {
      const realms = await model.messages.listRealmsToFeed(db, { now, realmIds }, realmsMax);
      for (const id of realms) queues.enqueue({ name: 'feed-search-engine', id });
      return realms.length;
    });
    return { enqueued: sum(enqueued) };
  },
};
