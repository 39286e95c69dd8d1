import * as actions from '@parley/actions';
import { sum } from '@parley/kit';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';
import { enqueueDue } from '../notifications/enqueue-due.ts';

/** Realms beyond this number wait for the next run, and due rows beyond the other. */
const realmsMax = 5000;
const dueRowsMax = 2000;

/** Has it decided whom to notify of what is new in each realm, and enqueues jobs for notifications that are due. */
export const notifyJob: RecurringJob = {
  name: 'notify',
  everySeconds: 1,
  async run({ engine, queues, clock }) {
    const now = new Date(clock.nowMs());
    const found = await engine.sweep(async (db, realmIds) => {
      const realms = await model.notifications.listRealmsWithNews(db, realmsMax, realmIds);
      for (const id of realms) queues.enqueue({ name: 'notify-realm', id });
      await actions.notifications.postpone(db, now, realmIds);
      const due = await model.notifications.listDueNotifications(db, { now, realmIds }, dueRowsMax);
      enqueueDue(queues, due);
      return { realms: realms.length, enqueued: due.length };
    });
    return {
      realms: sum(found.map(({ realms }) => realms)),
      enqueued: sum(found.map(({ enqueued }) => enqueued)),
    };
  },
};
