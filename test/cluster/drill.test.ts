import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { describe, expect, test } from 'vitest';

import { whyNoOldServer } from '../drill/next-server.ts';
import { isNight } from '../support/seed.ts';

const program = fileURLToPath(new URL('../dist/drill/main.js', import.meta.url));

interface Drilled {
  offences: string[];
  holds: boolean;
  [figure: string]: unknown;
}

/** `npm run drill` as anyone runs it, small. */
function drill(...more: string[]): Promise<Drilled & { exitCode: number }> {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env;
  const args = [program, '--json', '--messages', '1000', '--queues', '24', '--seconds', '10', ...more];
  return new Promise((resolve, reject) => {
    execFile(process.execPath, args, { env, maxBuffer: 1e8 }, (error, stdout, stderr) => {
      if (stdout === '') return reject(new Error(`The drill printed no report:\n${stderr.slice(-2000)}`));
      resolve({ ...(JSON.parse(stdout) as Drilled), exitCode: Number(error?.code ?? 0) });
    });
  });
}

// A drill takes half a minute. By day its parts are tried, in test/operations/drill.test.ts.
describe.runIf(isNight)('a drill', () => {
  test('finds every row and file of the archive, and tells everyone what is gone', async () => {
    const { exitCode, ...report } = await drill();
    expect(report).toMatchObject({
      rows_missing: 0,
      rows_without_file: 0,
      files_damaged: 0,
      clients_silent: 0,
    });
    expect(report['rows_compared']).toBeGreaterThan(1000);
    expect(report['files_as_they_were']).toBeGreaterThan(20);
    expect(exitCode).toBe(report.holds ? 0 : 1);
  });

  test.each([
    ['archive', /RPO above/],
    ['files', /files missing: 1/],
    ['rows', /rows missing/],
    ['fence', /silent: 24/],
  ])('goes red when it is broken on purpose: %s', async (part, offence) => {
    const { exitCode, offences } = await drill('--break', part);
    expect(offences.join(', ')).toMatch(offence);
    expect(exitCode).toBe(1);
  });
});

describe.runIf(isNight)('a return to the moment before a mistake', () => {
  test('takes back what was deleted and what came since, and nothing of before', async () => {
    const { exitCode, offences, ...report } = await drill('--mistake');
    expect(offences).toEqual([]);
    expect(report['deleted_by_mistake_and_back']).toBeGreaterThan(100);
    expect(exitCode).toBe(0);
  });

  test('is found out when it ends behind the mistake', async () => {
    const { exitCode, offences } = await drill('--mistake', '--break', 'target');
    expect(offences.join(', ')).toMatch(
      /sent since the mistake, and there: \d+, deleted by mistake, and not back: \d+/,
    );
    expect(exitCode).toBe(1);
  });
});

// Whether a Postgres of an older major version is there depends on the machine.
describe.runIf(isNight && whyNoOldServer() === null)('a new major version of Postgres', () => {
  test('takes nothing from anybody, and tells nobody', async () => {
    const { exitCode, offences, ...report } = await drill('--upgrade');
    expect(offences).toEqual([]);
    expect(report['clients_heard_all']).toBe(24);
    expect(report['rows_compared']).toBeGreaterThan(1000);
    expect(exitCode).toBe(0);
  });

  test('is found out when its sequences do not come along', async () => {
    const { exitCode, offences } = await drill('--upgrade', '--break', 'sequences');
    expect(offences.join(', ')).toMatch(/sequences behind: \d+/);
    expect(exitCode).toBe(1);
  });
});
