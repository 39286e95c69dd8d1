/** A part of the product whose guards the tests have to notice. */
export interface Area {
  name: string;
  /** What is mutated: paths and globs from the root. */
  mutate: readonly string[];
  /** The test files that are held against it. */
  tests: readonly string[];
  /** Whether the tests need Postgres and Redis. */
  needsServers: boolean;
}

export const areas: readonly Area[] = [
  {
    name: 'core',
    mutate: ['services/queue/src/core/*.ts', 'shared/log/src/sequencer.ts'],
    tests: ['services/queue/src/core/*.test.ts', 'shared/log/src/sequencer.test.ts'],
    needsServers: false,
  },
  {
    name: 'http',
    mutate: ['shared/http/src/*.ts'],
    tests: ['shared/http/src/*.test.ts'],
    needsServers: false,
  },
  {
    name: 'queues',
    mutate: ['services/queue/src/queues/*.ts', 'services/queue/src/log/*.ts'],
    tests: [
      'services/queue/src/queues/*.test.ts',
      'services/queue/src/log/*.test.ts',
      'services/queue/src/http/*.test.ts',
    ],
    needsServers: false,
  },
  {
    name: 'log',
    mutate: ['shared/log/src/{append,append-plain,commit,read-log,send,write-audiences}.ts'],
    tests: [
      'test/laws/log.test.ts',
      'test/laws/log-bounds.test.ts',
      'test/laws/appends.test.ts',
      'test/laws/batches.test.ts',
      'test/laws/commits.test.ts',
      'test/laws/races.test.ts',
      'test/laws/sending.test.ts',
    ],
    needsServers: true,
  },
  {
    name: 'log-parts',
    mutate: ['shared/log/src/{audiences,credentials,ephemeral,publish,report,trim-log}.ts'],
    tests: ['test/laws/log/*.test.ts'],
    needsServers: true,
  },
  {
    name: 'follower',
    mutate: [
      'shared/log/src/{carried-run,early-runs,follower,followed-streams,follower-metrics,read-partition}.ts',
    ],
    tests: ['shared/log/src/follower-metrics.test.ts', 'test/laws/follower/*.test.ts'],
    needsServers: true,
  },
  {
    name: 'database-watch',
    mutate: ['shared/log/src/database-watch.ts'],
    tests: ['test/api/hanging-postgres.test.ts', 'test/cluster/database-watch.test.ts'],
    needsServers: true,
  },
  {
    name: 'permissions',
    mutate: ['shared/model/src/permissions/*.ts'],
    tests: ['shared/model/src/permissions/*.test.ts', 'test/laws/rules.test.ts', 'test/api/realm.test.ts'],
    needsServers: true,
  },
  {
    name: 'authentication',
    mutate: ['services/api/src/auth/*.ts'],
    tests: [
      'services/api/src/auth/*.test.ts',
      'test/api/login.test.ts',
      'test/api/requests.test.ts',
      'test/api/server.test.ts',
      'test/api/account-changes.test.ts',
      'test/api/uploads/read.test.ts',
      'test/laws/sending.test.ts',
    ],
    needsServers: true,
  },
  {
    name: 'access',
    mutate: ['shared/model/src/access/*.ts'],
    tests: [
      'test/laws/audiences/*.test.ts',
      'test/api/restricted-guests.test.ts',
      'test/api/messages/reach.test.ts',
      'test/api/channels/create.test.ts',
      'test/api/channels/list.test.ts',
      'test/api/channels/subscribe.test.ts',
      'test/api/channels/subscriptions.test.ts',
      'test/api/messages/markdown.test.ts',
      'test/api/messages/narrow.test.ts',
      'test/api/user-groups/permissions.test.ts',
      'test/api/uploads/read.test.ts',
    ],
    needsServers: true,
  },
  {
    name: 'read-state',
    mutate: ['shared/model/src/messages/unread.ts', 'shared/actions/src/messages/flags/*.ts'],
    tests: [
      'test/api/messages/flags.test.ts',
      'test/api/messages/unread.test.ts',
      'test/api/messages/mark-unread.test.ts',
      'test/api/muted-users.test.ts',
      'test/laws/races.test.ts',
      'test/api/messages/read-state.test.ts',
    ],
    needsServers: true,
  },
];
