export { runCanary } from './canary/run-canary.ts';
export { workerConfig } from './config.ts';
export { onDemandJobs, recurringJobs } from './jobs/index.ts';
export type { JobDeps } from './jobs/job.ts';
export { measureDueWork } from './measure-due-work.ts';
export { createMailer } from './mail/mailer.ts';
export { type Outbound, type OutboundOptions, Unreachable, createOutbound } from './outbound/client.ts';
export { createWebhookClient } from './webhooks/client.ts';
export { runJobs } from './run-jobs.ts';
