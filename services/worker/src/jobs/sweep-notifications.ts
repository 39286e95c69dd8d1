import * as actions from '@parley/actions';
import { notificationTimes } from '@parley/protocol';

import type { RecurringJob } from '../job.ts';

/** Removes notifications for which it is too late, and browsers whose subscription has expired. `notify` enqueues jobs for all others, again and again. */
export const sweepNotificationsJob: RecurringJob = {
  name: 'sweep-notifications',
  everySeconds: 600,
  async run({ engine, clock }) {
    const now = new Date(clock.nowMs());
    const pushedBefore = new Date(now.getTime() - notificationTimes.pushedMs);
    await engine.sweep(async (db, realmIds) => {
      await actions.notifications.removeExpired(db, now, { pushedBefore, realmIds });
      await actions.pushTokens.removeExpired(db, now, realmIds);
    });
    return {};
  },
};
