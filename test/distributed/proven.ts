/** Files of tests that hold on a divided database as well. */
export const proven: readonly string[] = [
  'test/events/following/following',
  'test/events/following/changed-messages',
  'test/laws/endpoints/reads',
  'test/api/messages/send',
];
