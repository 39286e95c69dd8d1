import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { beforeAll, describe, expect, test } from 'vitest';

import { mutations } from '../chaos/mutations.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = fileURLToPath(new URL('../dist/chaos/main.js', import.meta.url));

type Report = Record<string, number | string | string[]>;

interface Run {
  exitCode: number;
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
        const reports: Report[] = stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line));
        resolve({ exitCode: Number(error?.code ?? 0), reports });
      },
    );
  });
}

/** A cluster for what one node of a kind shows as well as three. */
const small = ['--queues', '60', '--api', '1', '--queue', '1', '--worker', '0'];

const zeros = {
  lost: 0,
  repeated: 0,
  reordered: 0,
  leaked: 0,
  writes_lost: 0,
  writes_repeated: 0,
  re_registered: 0,
};

describe('every client hears exactly what the log says', () => {
  /** Each scenario, and how often it breaks something in one round. */
  const scenarios = {
    'kill-queue': 3,
    'kill-api': 2,
    'flush-redis': 3,
    'restart-postgres': 2,
    'hang-queue': 3,
    'hang-api': 2,
    'hang-redis': 1,
    'hang-postgres': 1,
    deploy: 7,
  };
  let run: Run;
  beforeAll(async () => {
    run = await chaos(Object.keys(scenarios), '--queues', '250');
  }, 300_000);

  test.each(Object.entries(scenarios))('under %s', (scenario, faults) => {
    const report = run.reports.find((one) => one['scenario'] === scenario);
    expect(report).toMatchObject({ ...zeros, anomalies: [], acknowledged: report?.['sent'], faults });
    expect(report?.['heard']).toBeGreaterThan(100);
  });

  test('and the program says so', () => {
    expect(run.exitCode).toBe(0);
  });

  test('when one entry in seven never travels through Redis', async () => {
    const { exitCode, reports } = await chaos(['calm'], ...small, '--break', 'carrier');
    expect(reports).toMatchObject([{ ...zeros, anomalies: [], acknowledged: reports[0]?.['sent'] }]);
    expect(reports[0]?.['heard']).toBeGreaterThan(100);
    expect(exitCode).toBe(0);
  });
});

test('every client hears what the log says when the network, clocks and servers fail', async () => {
  /** Each scenario, and how often it breaks something in one round. */
  const scenarios = {
    'partition-queue': 2,
    'partition-api': 2,
    reset: 2,
    'skew-clock': 6,
    'fill-redis': 1,
    'read-only': 1,
    'fail-over': 1,
  };
  const { exitCode, reports } = await chaos(Object.keys(scenarios), ...small);
  expect(reports).toMatchObject(
    Object.entries(scenarios).map(([scenario, faults]) => ({ scenario, ...zeros, anomalies: [], faults })),
  );
  expect(exitCode).toBe(0);
});

describe('every scheduled message is sent once', () => {
  const sentOnce = {
    scheduled_lost: 0,
    scheduled_repeated: 0,
    scheduled_unended: 0,
    scheduled_reordered: 0,
  };

  test('under kill-worker and hang-worker', async () => {
    const scenarios = ['kill-worker', 'hang-worker'];
    const { exitCode, reports } = await chaos(scenarios, ...small, '--worker', '2');
    expect(reports).toMatchObject(
      scenarios.map((scenario) => ({ scenario, ...zeros, ...sentOnce, faults: 2, anomalies: [] })),
    );
    for (const { scheduled } of reports) expect(scheduled).toBeGreaterThan(2);
    expect(exitCode).toBe(0);
  });

  test('or the check goes red', async () => {
    const broken = ['--worker', '2', '--break', 'schedule'];
    const { exitCode, reports } = await chaos(['kill-worker'], ...small, ...broken);
    expect(reports[0]?.['scheduled_repeated']).toBeGreaterThan(0);
    expect(exitCode).toBe(1);
  });
});

describe('every message to a bot reaches its service, in order, and is answered once', () => {
  const answeredOnce = {
    webhooks_lost: 0,
    webhooks_reordered: 0,
    webhooks_elsewhere: 0,
    answers_lost: 0,
    answers_repeated: 0,
  };

  test('under receiver-down', async () => {
    const { exitCode, reports } = await chaos(['receiver-down'], ...small, '--worker', '2');
    expect(reports).toMatchObject([{ ...zeros, ...answeredOnce, faults: 4, anomalies: [] }]);
    expect(reports[0]?.['asked']).toBeGreaterThan(10);
    expect(exitCode).toBe(0);
  });

  test('or the check goes red', async () => {
    const broken = ['--worker', '2', '--break', 'webhooks'];
    const { exitCode, reports } = await chaos(['receiver-down'], ...small, ...broken);
    expect(reports[0]?.['webhooks_lost']).toBeGreaterThan(0);
    expect(exitCode).toBe(1);
  });
});

describe('the check goes red', () => {
  test('because the code that it breaks is there', async () => {
    for (const { file, from } of Object.values(mutations).flatMap(({ changes }) => changes)) {
      expect(await readFile(join(root, file), 'utf8'), file).toContain(from);
    }
  });

  test.each([
    ['holes', 'lost'],
    ['audience', 'leaked'],
    ['cursor', 'repeated'],
  ])('when %s is broken on purpose: %s', async (guarantee, count) => {
    const { exitCode, reports } = await chaos(['calm'], ...small, '--break', guarantee);
    expect(reports[0]?.[count]).toBeGreaterThan(0);
    // What is broken is one guarantee: the nodes still answer.
    expect(reports[0]).toMatchObject({ acknowledged: reports[0]?.['sent'] });
    expect(exitCode).toBe(1);
  });
});
