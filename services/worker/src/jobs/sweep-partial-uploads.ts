import * as actions from '@parley/actions';

import type { RecurringJob } from '../job.ts';

/** Forgets uploads whose pieces have not all arrived in time. `sweep-files` deletes what has arrived. */
export const sweepPartialUploadsJob: RecurringJob = {
  name: 'sweep-partial-uploads',
  everySeconds: 600,
  async run({ engine: { db }, clock }) {
    await actions.partialUploads.removeExpired(db, new Date(clock.nowMs()));
    return {};
  },
};
