import * as actions from '@parley/actions';
import { sum } from '@parley/kit';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/** Channels beyond this number wait for the next run. */
const perRunMax = 5000;

/** Updates whether channels are recently active. */
export const channelActivityJob: RecurringJob = {
  name: 'channel-activity',
  everySeconds: 86_400,
  async run({ engine, clock }) {
    const now = new Date(clock.nowMs());
    const changed = await engine.sweep(async (db, realmIds) => {
      let count = 0;
      const found = await model.channels.listChannelsWithChangedActivity(db, { now, realmIds }, perRunMax);
      for (const { id, realm_id: realmId } of found) {
        const channel = { realmId, channelId: id, now };
        const { events } = await engine.perform(realmId, actions.channels.refreshActivity, channel);
        count += events.length;
      }
      return count;
    });
    return { changed: sum(changed) };
  },
};
