import * as actions from '@parley/actions';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/** Imports beyond this number wait for the next run. */
const perRunMax = 1000;

/** Enqueues jobs again for imports that no worker holds, and gives up those with which nobody has gone on in time. */
export const sweepImportsJob: RecurringJob = {
  name: 'sweep-imports',
  everySeconds: 30,
  async run({ engine, queues, clock }) {
    const now = new Date(clock.nowMs());
    const abandoned = await model.archiveImports.listAbandonedImports(engine.db, now, perRunMax);
    for (const { id, realmId } of abandoned) {
      await engine.perform(realmId, actions.archiveImports.expire, { realm: { id: realmId }, id, now });
    }
    const due = await model.archiveImports.listDueImports(engine.db, now, perRunMax);
    for (const { id, realmId } of due) queues.enqueue({ name: 'import-archive', id, realmId });
    return { abandoned: abandoned.length, enqueued: due.length };
  },
};
