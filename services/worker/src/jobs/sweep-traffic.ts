import { sum } from '@parley/kit';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/** Traffic is measured once a day. */
const everyMs = 86_400_000;
/** Realms beyond this number wait for the next run. */
const perRunMax = 2000;

/** Enqueues jobs for realms whose traffic was not measured for a day. */
export const sweepTrafficJob: RecurringJob = {
  name: 'sweep-traffic',
  everySeconds: 60,
  async run({ engine, queues, clock }) {
    const since = new Date(clock.nowMs() - everyMs);
    const enqueued = await engine.sweep(async (db, realmIds) => {
      const realms = await model.channels.listRealmsToMeasure(db, { since, realmIds }, perRunMax);
      for (const id of realms) queues.enqueue({ name: 'measure-traffic', id });
      return realms.length;
    });
    return { enqueued: sum(enqueued) };
  },
};
