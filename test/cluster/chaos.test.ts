// Which scenarios there are depends on the day.
/* oxlint-disable vitest/no-conditional-expect */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, test } from 'vitest';

import { createRandom, shuffle } from '../chaos/random.ts';
import { isNight, seed } from '../support/seed.ts';

const program = fileURLToPath(new URL('../dist/chaos/main.js', import.meta.url));

type Report = Record<string, number | string | string[]>;

interface Run {
  exitCode: number;
  /** The end of what was said meanwhile. */
  said: string;
  /** One per scenario. */
  reports: Report[];
}

/** `npm run chaos` as anyone runs it. Databases given to the other tests are not this cluster's. */
function chaos(scenarios: readonly string[], ...more: string[]): Promise<Run> {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env;
  const names = scenarios.flatMap((name) => ['--scenario', name]);
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, '--json', '--rounds', '1', ...names, ...more],
      { env, maxBuffer: 1e8 },
      (error, stdout, stderr) => {
        if (stdout === '') return reject(new Error(`chaos printed no report:\n${stderr.slice(-2000)}`));
        const { runs } = JSON.parse(stdout) as { runs: Report[] };
        resolve({ exitCode: Number(error?.code ?? 0), said: stderr.slice(-6000), reports: runs });
      },
    );
  });
}

/** A cluster for what one node of a kind shows as well as three. */
const small = ['--queues', '60', '--api', '1', '--queue', '1', '--worker', '0'];

/** Two nodes of a kind, so that what one had goes on at the other. */
const pairs = ['--api', '2', '--queue', '2', '--worker', '2'];

const zeros = {
  lost: 0,
  repeated: 0,
  reordered: 0,
  leaked: 0,
  silent: 0,
  writes_lost: 0,
  writes_repeated: 0,
  re_registered: 0,
};

const sentOnce = {
  scheduled_lost: 0,
  scheduled_repeated: 0,
  scheduled_unended: 0,
  scheduled_reordered: 0,
};

const answeredOnce = {
  webhooks_lost: 0,
  webhooks_reordered: 0,
  webhooks_elsewhere: 0,
  answers_lost: 0,
  answers_repeated: 0,
};

/** Scenarios by what fails, and how often each breaks something in one round where there are two nodes of a kind. */
const faultsOf = {
  nodes: {
    'kill-queue': 2,
    'kill-api': 2,
    'hang-queue': 2,
    'hang-api': 2,
    'kill-worker': 2,
    'hang-worker': 2,
    deploy: 6,
  },
  servers: {
    'flush-redis': 6,
    'restart-postgres': 2,
    'hang-redis': 1,
    'hang-postgres': 1,
    'fill-redis': 1,
    'read-only': 1,
    'failover-sync': 1,
    'failover-async': 1,
    'failover-twice': 4,
    'failover-queue': 3,
    'failover-flush': 2,
    restore: 3,
    'restore-flush': 4,
    'redis-sentinel': 2,
    'redis-cluster': 3,
  },
  network: { 'partition-queue': 4, 'partition-api': 4, reset: 2, 'skew-clock': 18, 'receiver-down': 4 },
};

/** In these the end of the log is lost: what was sent then is gone, and every client is told. */
const losesHistory = (scenario: string) => /^(?:failover-(?!sync)|restore)/.test(scenario);

const random = createRandom(seed);
const oneOf = <Value>(values: readonly Value[]): Value[] => shuffle(values, random).slice(0, 1);

/** By day one scenario of a group, which the seed chooses, at night all of them. */
const scenarios: [string, number][] = isNight
  ? Object.values(faultsOf).flatMap((group) => Object.entries(group))
  : oneOf<Record<string, number>>(Object.values(faultsOf)).flatMap((group) => oneOf(Object.entries(group)));

describe('every client hears exactly what the log says', () => {
  let run: Run;
  beforeAll(async () => {
    run = await chaos(
      scenarios.map(([name]) => name),
      '--queues',
      '120',
      ...pairs,
    );
  }, 900_000);

  test.each(scenarios)('under %s', (scenario, faults) => {
    const report = run.reports.find((one) => one['scenario'] === scenario);
    const isLossy = losesHistory(scenario);
    const schedules = scenario.endsWith('-worker');
    const asks = scenario === 'receiver-down';
    const { writes_lost: _gone, re_registered: _told, ...neither } = zeros;
    const zero = { ...(isLossy ? neither : zeros), ...(schedules && sentOnce), ...(asks && answeredOnce) };
    expect(report, `SEED=${seed}\n${run.said}`).toMatchObject({ ...zero, anomalies: [], faults });
    expect(report?.['heard']).toBeGreaterThan(100);
    expect(report?.['acknowledged']).toBe(report?.['sent']);
    if (isLossy) {
      expect(report?.['writes_lost']).toBeGreaterThan(0);
      expect(report?.['re_registered']).toBeGreaterThanOrEqual(120);
    }
    if (schedules) expect(report?.['scheduled']).toBeGreaterThan(2);
    if (asks) expect(report?.['asked']).toBeGreaterThan(10);
  });

  test('the program says that every client heard exactly what the log says', () => {
    expect(run.exitCode).toBe(0);
  });

  test.runIf(isNight)('when one entry in seven never travels through Redis', async () => {
    const { exitCode, reports } = await chaos(['calm'], ...small, '--break', 'carrier');
    expect(reports).toMatchObject([{ ...zeros, anomalies: [], acknowledged: reports[0]?.['sent'] }]);
    expect(reports[0]?.['heard']).toBeGreaterThan(100);
    expect(exitCode).toBe(0);
  });
});

describe('the check goes red', () => {
  /** What each breaks is counted under the scenario that shows it. */
  const broken = [
    ['holes', 'lost', 'calm', 0],
    ['audience', 'leaked', 'calm', 0],
    ['cursor', 'repeated', 'calm', 0],
  ] as const;
  const slow = [
    ['schedule', 'scheduled_repeated', 'kill-worker', 2],
    ['webhooks', 'webhooks_lost', 'receiver-down', 2],
    ['fence', 'silent', 'failover-async', 2],
    ['cursors', 'silent', 'restore', 2],
  ] as const;

  test.each(isNight ? [...broken, ...slow] : oneOf(broken))(
    'when %s is broken on purpose: %s',
    async (guarantee, count, scenario, workers) => {
      const more = ['--worker', String(workers), '--break', guarantee];
      const { exitCode, reports } = await chaos([scenario], ...small, ...more);
      expect(reports[0]?.[count], `SEED=${seed}`).toBeGreaterThan(0);
      // What is broken is one guarantee: the nodes still answer.
      if (scenario === 'calm') expect(reports[0]?.['acknowledged']).toBe(reports[0]?.['sent']);
      expect(exitCode).toBe(1);
    },
  );
});
