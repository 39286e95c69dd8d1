export { listDueWebhookDeliveries, nextWebhookDelivery } from './due.ts';
export {
  type WebhookDelivery,
  countWebhookFailures,
  findWebhookDelivery,
  listWebhookFailures,
} from './find.ts';
export { findWebhookMessage } from './message.ts';
