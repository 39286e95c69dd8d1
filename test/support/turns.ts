/**
 * Files that take long and of which each shows something that seldom changes, in rows of about the same length: `npm test`
 * runs one entry of each row, the next day the next, so that three days have had all. Whoever names a file runs it on any
 * day, and the night runs all.
 */
export const turns: readonly (readonly (readonly string[])[])[] = [
  [['test/cluster/scaling'], ['test/cluster/load'], ['test/cluster/redis-fail-over']],
  [['infra/image/stage'], ['infra/dev/start'], ['infra/dev/nodes/start-cluster']],
  [['infra/dev/proxy/refusals'], ['infra/dev/proxy/retries'], ['infra/dev/proxy/routing', 'test/cli/realm']],
  [
    ['test/worker/archive-imports/whole-way'],
    ['test/cluster/observatory', 'test/cluster/tls', 'test/cluster/cells'],
    ['test/worker/outgoing-webhooks/outages', 'test/laws/neighbours/neighbours', 'test/api/reference-page'],
  ],
  [
    ['test/worker/converted-archives/followed-archives'],
    ['test/worker/converted-archives/into', 'test/worker/converted-archives/killed'],
    ['test/worker/converted-archives/later-archives', 'test/worker/hostile-archives/rows'],
  ],
  [
    ['test/cluster/start'],
    ['test/worker/exports', 'test/operations/canary', 'test/operations/replicas'],
    [
      'test/api/messages/search/engine',
      'test/api/messages/search/languages',
      'infra/k8s/check/sentinel-scripts',
    ],
  ],
  [
    ['test/cluster/zulip-js'],
    ['test/cluster/zulip-js-examples'],
    ['test/cluster/zulip-js-api', 'test/laws/night'],
  ],
  [
    ['test/cluster/connections', 'test/laws/built-ins'],
    ['test/cluster/operations', 'test/laws/archive'],
    ['test/api/hanging-postgres', 'test/laws/follower/failures', 'test/laws/neighbours/kept-plans'],
  ],
  [
    ['test/operations/migrations/calls-of-before'],
    ['test/operations/migrations/online', 'test/operations/migrations/wide-ids'],
    ['test/cluster/database-roles', 'test/operations/migrations/realm-keys'],
  ],
];

/** The files whose turn is another day. */
export const filesOfOtherDays = (seed: number): string[] =>
  turns
    .flatMap((row) => row.filter((_, at) => (at + seed) % row.length !== 0).flat())
    .map((path) => `${path}.test.ts`);
