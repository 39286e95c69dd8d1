import { webhookDeliveries } from '@parley/actions';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/** Deliveries beyond this number wait for the next run. */
const perRunMax = 1000;

/** Enqueues deliveries whose time to be tried again has come, or whose job was lost, and forgets old failures. */
export const sweepWebhooksJob: RecurringJob = {
  name: 'sweep-webhooks',
  everySeconds: 5,
  async run({ engine: { db }, queues, clock }) {
    const now = new Date(clock.nowMs());
    await webhookDeliveries.removeExpired(db, now);
    const due = await model.webhookDeliveries.listDueWebhookDeliveries(db, now, perRunMax);
    for (const id of due) queues.enqueue({ name: 'deliver-webhook', id });
    return { enqueued: due.length };
  },
};
