import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

const program = fileURLToPath(new URL('../dist/chaos/main.js', import.meta.url));

interface Run {
  exitCode: number;
  report: Record<string, number | string | string[]>;
}

/** `npm run chaos` as anyone runs it. Databases given to the other tests are not this cluster's. */
function chaos(...args: string[]): Promise<Run> {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env;
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, '--json', ...args],
      { env, maxBuffer: 1e8 },
      (error, stdout, stderr) => {
        if (stdout === '') reject(new Error(`chaos printed no report:\n${stderr.slice(-2000)}`));
        else resolve({ exitCode: Number(error?.code ?? 0), report: JSON.parse(stdout) as Run['report'] });
      },
    );
  });
}

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
  test.each([
    ['kill-queue', '9'],
    ['kill-api', '9'],
    ['flush-redis', '17'],
    ['restart-postgres', '12'],
    ['deploy', '12'],
  ])('under %s', async (scenario, seconds) => {
    const { exitCode, report } = await chaos('--scenario', scenario, '--seconds', seconds, '--queues', '500');
    expect(report).toMatchObject({ ...zeros, anomalies: [], acknowledged: report['sent'] });
    expect(report['faults']).toBeGreaterThanOrEqual(2);
    expect(report['heard']).toBeGreaterThan(1000);
    expect(exitCode).toBe(0);
  });

  test('when one entry in seven never travels through Redis', async () => {
    const { exitCode, report } = await chaos(
      '--scenario',
      'calm',
      '--seconds',
      '4',
      '--queues',
      '60',
      '--break',
      'carrier',
    );
    expect(report).toMatchObject({ ...zeros, anomalies: [] });
    expect(exitCode).toBe(0);
  });
});

describe('the check goes red', () => {
  test.each([
    ['holes', 'lost'],
    ['audience', 'leaked'],
    ['cursor', 'repeated'],
  ])('when %s is broken on purpose: %s', async (guarantee, count) => {
    const { exitCode, report } = await chaos(
      '--scenario',
      'calm',
      '--seconds',
      '4',
      '--queues',
      '60',
      '--break',
      guarantee,
    );
    expect(report[count]).toBeGreaterThan(0);
    expect(exitCode).toBe(1);
  });
});
