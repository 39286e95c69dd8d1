import { availableParallelism } from 'node:os';

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const excluded = ['**/node_modules/**', '**/dist/**'];
/** Rooms resolve to their sources, so that a test never runs yesterday's build. */
const conditions = ['source', 'node', 'development'];
const ssr = { resolve: { conditions } };
/** Where vitest resolves what its global set-up imports. */
const environments = { __vitest__: { resolve: { conditions } } };
const servers = { globalSetup: ['test/support/global-setup.ts'] };

/** Properties choose what they try by the seed of the day. */
const seeded = 'test/support/seed.ts';
/** Tests wait for Postgres, Redis and processes of their own: half as many again as cores keep the cores busy. */
const maxWorkers = Math.ceil(availableParallelism() * 1.5);

/** These begin first, so that none of them is left running alone at the end. */
const longest = [
  'cluster/chaos.',
  'following/following.',
  'endpoints/writes.',
  'cluster/redis-fail-over.',
  'cluster/load.',
  'laws/access/access.',
  'cluster/start.',
  'cluster/scaling.',
  'nodes/start-cluster.',
];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const first = longest.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.includes(name)));
    return [...new Set([...first, ...sorted])];
  }
}

export default defineConfig({
  ssr,
  environments,
  test: {
    pool: 'forks',
    maxWorkers,
    sequence: { sequencer: LongestFirst },
    coverage: {
      provider: 'v8',
      include: ['shared/*/src/**/*.ts', 'services/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/*.test-support.ts'],
      reporter: [['text', { skipFull: true }], 'html'],
    },
    projects: [
      {
        ssr,
        environments,
        test: {
          name: 'unit',
          include: ['shared/**/*.test.ts', 'services/**/*.test.ts'],
          exclude: excluded,
          setupFiles: [seeded],
          isolate: false,
          testTimeout: 120_000,
        },
      },
      {
        ssr,
        environments,
        test: {
          name: 'api',
          include: [
            'test/api/**/*.test.ts',
            'test/worker/**/*.test.ts',
            'test/cli/**/*.test.ts',
            'test/events/**/*.test.ts',
            'test/laws/**/*.test.ts',
            'test/operations/**/*.test.ts',
          ],
          exclude: excluded,
          ...servers,
          setupFiles: [seeded, 'test/support/each-file.ts'],
          isolate: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
        },
      },
      {
        ssr,
        environments,
        test: {
          name: 'cluster',
          include: ['test/cluster/**/*.test.ts', 'infra/**/*.test.ts'],
          exclude: excluded,
          ...servers,
          setupFiles: [seeded],
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
