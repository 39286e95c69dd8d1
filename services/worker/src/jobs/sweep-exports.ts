import * as actions from '@parley/actions';
import { getRealm, listDueExports, listExpiredExports, realmAt } from '@parley/model';

import type { RecurringJob } from './job.ts';

/** Exports beyond this number wait for the next run. */
const perRunMax = 1000;

/** Enqueues jobs again for exports that no worker holds, and deletes archives that have been kept long enough. */
export const sweepExportsJob: RecurringJob = {
  name: 'sweep-exports',
  everySeconds: 30,
  async run({ engine, site, queues, clock }) {
    const now = new Date(clock.nowMs());
    for (const { id, realmId } of await listExpiredExports(engine.db, now, perRunMax)) {
      const realm = realmAt(await getRealm(engine.db, realmId), site);
      if (realm) await engine.perform(realmId, (tx) => actions.exports.expire(tx, realm, id, now));
    }
    const due = await listDueExports(engine.db, now, perRunMax);
    for (const id of due) queues.enqueue({ name: 'export-realm', id });
    return { enqueued: due.length };
  },
};
