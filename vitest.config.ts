import { existsSync, statfsSync } from 'node:fs';
import { availableParallelism, totalmem } from 'node:os';

import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

import { CostReporter } from './test/support/costs.ts';
import { isNight, seed } from './test/support/seed.ts';
import { filesOfOtherDays } from './test/support/turns.ts';

/**
 * Databases are created and dropped by the hundred, and none is kept: where there is room in memory for them, the disk has
 * nothing to do with it. TMPDIR names another place.
 */
const inMemory = { folder: '/dev/shm', bytesMin: 4 * 2 ** 30 };
const isRoomInMemory = () => {
  const { bavail, bsize } = statfsSync(inMemory.folder);
  return bavail * bsize >= inMemory.bytesMin;
};
if (process.env['TMPDIR'] === undefined && existsSync(inMemory.folder) && isRoomInMemory())
  process.env['TMPDIR'] = inMemory.folder;

/** `npm test` leaves long files to their days; whoever names files runs those. */
const isByTurns = process.env['BY_TURNS'] === '1' && !isNight;
const excluded = ['**/node_modules/**', '**/dist/**', ...(isByTurns ? filesOfOtherDays(seed) : [])];

/** How a project resolves rooms that are imported by their names; the second is for its global set-up. */
const resolving = (conditions: string[]) => ({
  ssr: { resolve: { conditions } },
  environments: { __vitest__: { resolve: { conditions } } },
});
const asSources = resolving(['source', 'node', 'development']);
const asBuilt = resolving(['node', 'development']);
/**
 * Who tests a server imports what tsc built of it, which Node loads by itself: that takes a quarter of the time of sources,
 * which have to be transformed first. It is built before anything imports it, so that a test never runs yesterday's.
 * Coverage counts lines of sources.
 */
const isCovered = process.argv.includes('--coverage');
const servers = isCovered
  ? { ...asSources, test: { globalSetup: ['test/support/global-setup.ts'] } }
  : {
      ...asBuilt,
      test: {
        globalSetup: ['test/support/build-first.ts'],
        server: { deps: { external: [/\/(?:shared|services|infra)\/(?:\w+\/)?dist\//] } },
      },
    };

/** Properties choose what they try by the seed of the day, and each file says what it cost. */
const seeded = ['test/support/seed.ts', 'test/support/processor.ts'];
/**
 * Tests wait for Postgres, Redis and processes of their own: twice as many as cores keep the cores busy. Each worker has up
 * to 40 of the 1000 connections, and with what it starts it needs up to 1.5 GiB.
 */
const maxWorkers = Math.max(
  1,
  Math.min(availableParallelism() * 2, Math.floor(totalmem() / 1.5 / 2 ** 30), 24),
);

/** Of each project, these begin first, so that none of them is left running alone at the end. */
const longest = [
  'cluster/chaos.',
  'cluster/redis-fail-over.',
  'cluster/load.',
  'cluster/start.',
  'cluster/scaling.',
  'nodes/start-cluster.',
  'following/following.',
  'endpoints/writes.',
  'laws/access/access.',
];

/**
 * A worker keeps the modules that it has loaded as long as its next file is of the same project. So the projects follow
 * each other, and the one with the longest files begins.
 */
const projectsInOrder = ['cluster', 'api', 'unit'];

class ProjectByProject extends BaseSequencer {
  /** Each file is in one shard, on every machine the same, and the longest are dealt out evenly. */
  override shard(files: TestSpecification[]) {
    const { index, count } = this.ctx.config.shard ?? { index: 1, count: 1 };
    const byPath = files.toSorted((one, other) => (one.moduleId < other.moduleId ? -1 : 1));
    const first = longest.flatMap((name) => byPath.filter(({ moduleId }) => moduleId.includes(name)));
    return Promise.resolve([...new Set([...first, ...byPath])].filter((_, at) => at % count === index - 1));
  }

  override async sort(files: TestSpecification[]) {
    const sorted = await super.sort(files);
    const first = longest.flatMap((name) => sorted.filter(({ moduleId }) => moduleId.includes(name)));
    const all = [...new Set([...first, ...sorted])];
    return projectsInOrder.flatMap((name) => all.filter(({ project }) => project.name === name));
  }
}

export default defineConfig({
  ...asSources,
  test: {
    pool: 'forks',
    maxWorkers,
    sequence: { sequencer: ProjectByProject },
    reporters: ['default', ...(process.env['COSTS'] === '1' ? [new CostReporter()] : [])],
    coverage: {
      provider: 'v8',
      include: ['shared/*/src/**/*.ts', 'services/*/src/**/*.ts'],
      exclude: ['**/*.test.ts', '**/*.test-support.ts'],
      reporter: [['text', { skipFull: true }], 'html'],
    },
    projects: [
      {
        ...asSources,
        test: {
          name: 'unit',
          include: ['shared/**/*.test.ts', 'services/**/*.test.ts'],
          exclude: excluded,
          setupFiles: seeded,
          isolate: false,
          testTimeout: 300_000,
        },
      },
      {
        ...servers,
        test: {
          ...servers.test,
          name: 'api',
          include: [
            'test/api/**/*.test.ts',
            'test/worker/**/*.test.ts',
            'test/cli/**/*.test.ts',
            'test/contract/**/*.test.ts',
            'test/events/**/*.test.ts',
            'test/laws/**/*.test.ts',
            'test/operations/**/*.test.ts',
          ],
          exclude: excluded,
          setupFiles: [...seeded, 'test/support/each-file.ts'],
          isolate: false,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        ...servers,
        test: {
          ...servers.test,
          name: 'cluster',
          isolate: false,
          include: ['test/cluster/**/*.test.ts', 'infra/**/*.test.ts'],
          exclude: excluded,
          setupFiles: seeded,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
    ],
  },
});
