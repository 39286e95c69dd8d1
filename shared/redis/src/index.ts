export { type Redis, connectRedis, redisReady } from './connect.ts';
export { type ControlListener, listenForControl } from './control-listener.ts';
export { createEphemeralCarrier } from './ephemeral-carrier.ts';
export { listenForEphemerals } from './ephemeral-listener.ts';
export { type JobQueueName, createJobAdmin, jobQueueNames } from './job-admin.ts';
export { measureJobs } from './job-metrics.ts';
export { type JobQueues, connectForJobs, createJobQueues, recurringQueue } from './jobs.ts';
export { createIdForms } from './id-forms.ts';
export { announceNode, listNodes } from './nodes.ts';
export { createOperatorToken, operatorScopes } from './operator-token.ts';
export { keys, partitionOf } from './keys.ts';
export { type RegisteredQueue, listQueues } from './list-queues.ts';
export {
  type RateLimitRule,
  RateLimitRules,
  type SharedRateLimiter,
  budgetHeaders,
  type LocalRateLimiter,
  createLocalRateLimiter,
  createSharedRateLimiter,
} from './rate-limits.ts';
export { type Registry, type RenewedQueue, createRegistry } from './registry.ts';
export { type SentLately, createSentLately } from './sent-lately.ts';
export { type Signer, createSigner } from './signer.ts';
