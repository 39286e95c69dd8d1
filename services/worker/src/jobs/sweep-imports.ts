import * as actions from '@parley/actions';
import { sum } from '@parley/kit';
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
    const done = await engine.sweep(async (db, realmIds) => {
      const abandoned = await model.archiveImports.listAbandonedImports(db, { now, realmIds }, perRunMax);
      for (const { id, realmId } of abandoned) {
        await engine.perform(realmId, actions.archiveImports.expire, { realm: { id: realmId }, id, now });
      }
      const due = await model.archiveImports.listDueImports(db, { now, realmIds }, perRunMax);
      for (const { id, realmId } of due) queues.enqueue({ name: 'import-archive', id, realmId });
      return { abandoned: abandoned.length, enqueued: due.length };
    });
    return {
      abandoned: sum(done.map(({ abandoned }) => abandoned)),
      enqueued: sum(done.map(({ enqueued }) => enqueued)),
    };
  },
};
