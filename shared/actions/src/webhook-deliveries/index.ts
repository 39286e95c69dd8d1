export { type Attempt, claim } from './claim.ts';
export { drop, removeExpired, replay } from './failures.ts';
export { postpone, recordAnswer } from './service.ts';
export { type WebhookFailing, type WebhookReply, fail, finish } from './settle.ts';
