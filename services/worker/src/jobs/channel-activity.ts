import * as actions from '@parley/actions';
import { listChangedActivity } from '@parley/model';

import type { RecurringJob } from './job.ts';

/** The rest waits for the next run. */
const perRun = 5000;

/** Says of channels whether they are in use, and how much a week brings them. */
export const channelActivityJob: RecurringJob = {
  name: 'channel-activity',
  everySeconds: 86_400,
  async run({ engine, clock }) {
    const now = new Date(clock.nowMs());
    let changed = 0;
    for (const { id, realm_id } of await listChangedActivity(engine.db, now, perRun)) {
      const { events } = await engine.perform(realm_id, (tx) =>
        actions.channels.refreshActivity(tx, realm_id, id, now),
      );
      changed += events.length;
    }
    await actions.channels.measureTraffic(engine.db, now);
    return { changed };
  },
};
