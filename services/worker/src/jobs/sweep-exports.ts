import * as actions from '@parley/actions';
import { sum } from '@parley/kit';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/** Exports beyond this number wait for the next run. */
const perRunMax = 1000;

/** Enqueues jobs again for exports that no worker holds, and deletes archives that have been kept long enough. */
export const sweepExportsJob: RecurringJob = {
  name: 'sweep-exports',
  everySeconds: 30,
  async run({ engine, site, queues, clock }) {
    const now = new Date(clock.nowMs());
    const enqueued = await engine.sweep(async (db, realmIds) => {
      const expired = await model.exports.listExpiredExports(db, { now, realmIds }, perRunMax);
      for (const { id, realmId } of expired) {
        const realm = model.realms.realmAt(await model.realms.getRealm(db, realmId), site);
        if (realm) await engine.perform(realmId, actions.exports.expire, { realm, id, now });
      }
      const due = await model.exports.listDueExports(db, { now, realmIds }, perRunMax);
      for (const one of due) queues.enqueue({ name: 'export-realm', ...one });
      return due.length;
    });
    return { enqueued: sum(enqueued) };
  },
};
