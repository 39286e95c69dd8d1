import * as actions from '@parley/actions';
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
    let changed = 0;
    for (const { id, realm_id } of await model.channels.listChannelsWithChangedActivity(
      engine.db,
      now,
      perRunMax,
    )) {
      const { events } = await engine.perform(realm_id, actions.channels.refreshActivity, {
        realmId: realm_id,
        channelId: id,
        now,
      });
      changed += events.length;
    }
    return { changed };
  },
};
