import * as actions from '@parley/actions';
import { notificationTimes } from '@parley/protocol';

import type { RecurringJob } from '../job.ts';

/** Removes notifications for which it is too late, and browsers whose subscription has expired. `notify` enqueues jobs for all others, again and again. */
export const sweepNotificationsJob: RecurringJob = {
  name: 'sweep-notifications',
  everySeconds: 600,
  async run({ engine: { db }, clock }) {
    const nowMs = clock.nowMs();
    await actions.notifications.removeExpired(
      db,
      new Date(nowMs),
      new Date(nowMs - notificationTimes.pushedMs),
    );
    await actions.pushTokens.removeExpired(db, new Date(nowMs));
    return {};
  },
};
