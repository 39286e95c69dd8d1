import * as actions from '@parley/actions';
import { sum } from '@parley/kit';
import * as model from '@parley/model';
import { fileTimes } from '@parley/protocol';

import type { RecurringJob } from '../job.ts';

/** Uploads beyond this number wait for the next run. */
const perRunMax = 500;

/** Deletes uploads that no message has referred to for five weeks. */
export const expireUploadsJob: RecurringJob = {
  name: 'expire-uploads',
  everySeconds: 600,
  async run({ engine, clock }) {
    const before = new Date(clock.nowMs() - fileTimes.unreferencedMs);
    const expired = await engine.sweep(async (db, realmIds) => {
      let count = 0;
      const found = await model.attachments.listUnreferencedAttachments(db, { before, realmIds }, perRunMax);
      for (const { id, realmId } of found) {
        const { events } = await engine.perform(realmId, actions.attachments.expire, { realmId, id, before });
        count += events.length;
      }
      return count;
    });
    return { expired: sum(expired) };
  },
};
