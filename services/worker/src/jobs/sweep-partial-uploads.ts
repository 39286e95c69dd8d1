import * as actions from '@parley/actions';

import type { RecurringJob } from '../job.ts';

/** Forgets uploads whose pieces have not all arrived in time. `sweep-files` deletes what has arrived. */
export const sweepPartialUploadsJob: RecurringJob = {
  name: 'sweep-partial-uploads',
  everySeconds: 600,
  async run({ engine, clock }) {
    const now = new Date(clock.nowMs());
    await engine.sweep((db, realmIds) => actions.partialUploads.removeExpired(db, now, realmIds));
    return {};
  },
};
