/**
 * Files that take long and of which each shows something that seldom changes, in rows of about the same length: `npm test`
 * runs one entry of each row, the next day the next, so that four days have had all. Whoever names a file runs it on any
 * day, and the night runs all.
 */
export const turns: readonly (readonly (readonly string[])[])[] = [
  [
    ['test/cluster/start'],
    ['test/worker/exports', 'test/operations/canary', 'test/operations/replicas'],
    [
      'test/api/messages/search/engine',
      'test/api/messages/search/languages',
      'infra/k8s/check/sentinel-scripts',
    ],
    ['test/cluster/observatory', 'test/cluster/tls', 'test/cluster/cells'],
  ],
  [
    ['test/cluster/load'],
    ['test/worker/archive-imports/whole-way'],
    ['test/cluster/redis-fail-over'],
    ['test/worker/outgoing-webhooks/outages', 'test/laws/neighbours/neighbours', 'test/api/reference-page'],
  ],
  [['test/cluster/scaling'], ['infra/dev/nodes/start-cluster'], ['infra/image/stage'], ['infra/dev/start']],
  [
    ['test/operations/migrations/online', 'test/operations/migrations/wide-ids'],
    ['test/worker/converted-archives/followed-archives'],
    ['test/worker/converted-archives/into', 'test/worker/converted-archives/killed'],
    ['test/worker/converted-archives/later-archives', 'test/worker/hostile-archives/rows'],
  ],
  [
    ['test/cluster/zulip-js'],
    ['test/operations/migrations/calls-of-before'],
    ['test/cluster/zulip-js-examples'],
    ['test/cluster/database-roles', 'test/operations/migrations/realm-keys'],
  ],
  [
    ['test/cluster/operations', 'test/laws/archive'],
    ['test/cluster/connections', 'test/laws/built-ins'],
    ['test/cluster/zulip-js-api', 'test/laws/night'],
    ['test/api/hanging-postgres', 'test/laws/follower/failures', 'test/laws/neighbours/kept-plans'],
  ],
  [
    ['test/laws/joining/history', 'test/api/sign-in/ldap'],
    ['test/api/external/external'],
    ['test/laws/joining/changes'],
    ['test/api/uploads/tus', 'test/api/sign-in/hostile-provider'],
  ],
  [
    ['test/api/messages/search/hidden', 'test/api/messages/long'],
    ['test/api/thumbnails', 'test/api/emoji-upload'],
    ['test/worker/notify-realms', 'test/cli/health'],
    ['test/worker/hostile-archives/files'],
  ],
  [
    ['test/worker/converted-archives/following', 'test/worker/converted-archives/zulip-refused'],
    ['test/laws/empty-topic', 'test/worker/link-previews/nothing'],
    ['test/worker/search-engine', 'test/api/zulip-names'],
    ['test/api/bot-storage', 'test/api/user-groups/limits'],
  ],
  [['infra/dev/proxy/refusals'], ['infra/dev/proxy/retries'], ['infra/dev/proxy/routing', 'test/cli/realm']],
];

/** The files whose turn is another day. */
export const filesOfOtherDays = (seed: number): string[] =>
  turns
    .flatMap((row) => row.filter((_, at) => (at + seed) % row.length !== 0).flat())
    .map((path) => `${path}.test.ts`);
