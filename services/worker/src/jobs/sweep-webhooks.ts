import { webhookDeliveries } from '@parley/actions';
import { sum } from '@parley/kit';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/** Deliveries beyond this number wait for the next run. */
const perRunMax = 1000;

/** Enqueues deliveries whose time to be tried again has come, or whose job was lost, and forgets old failures. */
export const sweepWebhooksJob: RecurringJob = {
  name: 'sweep-webhooks',
  everySeconds: 5,
  async run({ engine, queues, clock }) {
    const now = new Date(clock.nowMs());
    const enqueued = await engine.sweep(async (db, realmIds) => {
      await webhookDeliveries.removeExpired(db, now, realmIds);
      const due = await model.webhookDeliveries.listDueWebhookDeliveries(db, { now, realmIds }, perRunMax);
      for (const delivery of due) queues.enqueue({ name: 'deliver-webhook', ...delivery });
      return due.length;
    });
    return { enqueued: sum(enqueued) };
  },
};
