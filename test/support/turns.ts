/**
 * Files that take long and of which each shows something that seldom changes, as lists of about the same length: `npm test`
 * runs one list, the next day the next, so that a fortnight has had all. Whoever names a file runs it on any day, and the night
 * runs all.
 */
export const turns: readonly (readonly string[])[] = [
  [
    'infra/dev/proxy/routing',
    'test/api/zulip-names',
    'test/cluster/redis-fail-over',
    'test/operations/migrations/wide-ids',
    'test/worker/notify-realms',
  ],
  [
    'infra/dev/start',
    'test/api/reference-page',
    'test/cli/health',
    'test/cluster/observatory',
    'test/worker/converted-archives/zulip-refused',
  ],
  ['infra/image/stage', 'test/api/hanging-postgres', 'test/cluster/connections', 'test/laws/empty-topic'],
  ['test/api/external/pages', 'test/api/uploads/tus', 'test/cluster/start', 'test/cluster/zulip-js-api'],
  ['test/worker/archive-imports/whole-way'],
  [
    'test/api/messages/search/hidden',
    'test/api/thumbnails',
    'test/laws/neighbours/kept-plans',
    'test/operations/migrations/calls-of-before',
  ],
  [
    'infra/dev/nodes/start-cluster',
    'test/laws/built-ins',
    'test/operations/replicas',
    'test/worker/converted-archives/later-archives',
  ],
  [
    'test/cluster/database-roles',
    'test/cluster/load',
    'test/laws/follower/failures',
    'test/operations/migrations/realm-keys',
  ],
  [
    'test/cli/realm',
    'test/cluster/cells',
    'test/cluster/tls',
    'test/worker/converted-archives/following',
    'test/worker/exports',
  ],
  [
    'test/api/sign-in/hostile-provider',
    'test/api/sign-in/ldap',
    'test/cluster/zulip-js-examples',
    'test/laws/joining/changes',
    'test/laws/joining/history',
  ],
  [
    'test/cluster/zulip-js',
    'test/laws/night',
    'test/worker/converted-archives/followed-archives',
    'test/worker/converted-archives/killed',
    'test/worker/hostile-archives/rows',
    'test/worker/search-engine',
  ],
  [
    'infra/dev/proxy/refusals',
    'infra/dev/proxy/retries',
    'test/api/user-groups/limits',
    'test/cluster/scaling',
    'test/laws/archive',
    'test/operations/canary',
    'test/operations/migrations/online',
    'test/worker/converted-archives/into',
  ],
  [
    'infra/k8s/check/sentinel-scripts',
    'test/api/bot-storage',
    'test/api/emoji-upload',
    'test/api/messages/long',
    'test/api/messages/search/languages',
    'test/laws/neighbours/neighbours',
  ],
  [
    'test/api/external/external',
    'test/api/messages/search/engine',
    'test/cluster/operations',
    'test/worker/hostile-archives/files',
    'test/worker/link-previews/nothing',
    'test/worker/outgoing-webhooks/outages',
  ],
];

/** The files whose turn is another day. */
export const filesOfOtherDays = (seed: number): string[] =>
  turns
    .filter((_, at) => (at + seed) % turns.length !== 0)
    .flat()
    .map((path) => `${path}.test.ts`);
