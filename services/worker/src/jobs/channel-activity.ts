import { channels } from '@parley/domain';
import { commit } from '@parley/log';

import type { RecurringJob } from './job.ts';

/** The rest waits for the next run. */
const perRun = 5000;

/** Says of channels whether they are in use, and how much a week brings them. */
export const channelActivityJob: RecurringJob = {
  name: 'channel-activity',
  everySeconds: 86_400,
  async run({ db, publisher, clock }) {
    const now = new Date(clock.nowMs());
    let changed = 0;
    for (const { id, realm_id } of await channels.listChangedActivity(db, now, perRun)) {
      const { events } = await commit({ db, publisher }, realm_id, (tx) =>
        channels.refreshActivity(tx, realm_id, id, now),
      );
      changed += events.length;
    }
    await channels.measureTraffic(db, now);
    return { changed };
  },
};
