/** Files of tests that hold on a divided database as well. */
export const proven: readonly string[] = [
  'test/events/following/following',
  'test/events/following/changed-messages',
  'test/laws/endpoints/reads',
  'test/api/messages/send',
  'test/worker/outgoing-webhooks',
  'test/worker/notification-cursor',
  'test/worker/missed-messages',
  'test/worker/push-notifications',
  'test/worker/mail-languages',
  'test/worker/sent-once',
  'test/worker/jobs-of-realms',
  'test/worker/digests',
  'test/laws/log/trim',
];
