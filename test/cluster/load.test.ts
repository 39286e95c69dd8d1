import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { afterAll, beforeAll, expect, test } from 'vitest';

import { isNight } from '../support/seed.ts';

const program = fileURLToPath(new URL('../dist/load/main.js', import.meta.url));
const small = ['--api', '1', '--queue', '2', '--worker', '0', '--json'];

let dir: string;
beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'parley-load-test-'));
});
afterAll(() => rm(dir, { recursive: true, force: true }));

interface Run {
  exitCode: number;
  report: Record<string, unknown>;
  /** What it said at the end, such as which nodes were restarted. */
  said: string;
}

/** `npm run load` as anyone runs it. Databases given to the other tests are not this cluster's. */
function load(...words: string[]): Promise<Run> {
  const { DATABASE_URL: _database, REDIS_URL: _redis, ...env } = process.env;
  return new Promise((resolve, reject) => {
    execFile(
      process.execPath,
      [program, ...small, ...words],
      { env, maxBuffer: 1e8 },
      (error, stdout, stderr) => {
        if (stdout === '') return reject(new Error(`load printed no report:\n${stderr.slice(-2000)}`));
        resolve({
          exitCode: Number(error?.code ?? 0),
          report: JSON.parse(stdout),
          said: stderr.slice(-4000),
        });
      },
    );
  });
}

test('hundreds of clients hear exactly what the log says, and the report shows it', async () => {
  const page = join(dir, 'report.html');
  const words = [
    '--scenario',
    'company',
    '--pollers',
    isNight ? '300' : '100',
    '--pace',
    '10',
    '--sends',
    '30',
  ];
  const { exitCode, report, said } = await load(...words, '--against', 'hub', '--report', page);

  expect(report, said).toMatchObject({
    pollers: isNight ? 300 : 100,
    anomalies: [],
    failures: {},
    lost: 0,
    repeated: 0,
    reordered: 0,
    leaked: 0,
    writes_lost: 0,
    writes_repeated: 0,
    acknowledged: report['sent'],
  });
  expect(report['sent']).toBeGreaterThanOrEqual(30);
  expect(report['heard']).toBeGreaterThan(100);
  expect(Object.keys(Object(report['timed_ms']))).toEqual(
    expect.arrayContaining(['deliveries', 'presence', 'uploads', 'messages', 'send']),
  );
  const parts = Object(report['stages_ms']) as { name: string; mean: number }[];
  expect(parts.map(({ name }) => name)).toContain('send → append');
  const [all, sum] = [
    parts.at(-1)?.mean ?? 0,
    parts.slice(0, -1).reduce((total, { mean }) => total + mean, 0),
  ];
  expect(sum / all).toBeCloseTo(1, 1);
  expect(report['parked']).toBe(report['pollers']);
  expect(Object(report['memory_parked'])).toContainEqual(expect.objectContaining({ name: 'proxy' }));
  expect(report['at_hub']).toMatchObject({
    failures: {},
    timed: { deliveries: { count: expect.any(Number) }, send: { count: expect.any(Number) } },
    cpu: { hub: expect.any(Number) },
  });
  expect(exitCode).toBe(0);
  const html = await readFile(page, 'utf8');
  expect(html).toContain('every client heard exactly what the log says');
  // It needs nothing besides itself.
  expect(html).not.toMatch(/(?:src|href)=|@import|url\(/);
});

test.runIf(isNight)('it ends with 1 when an event is lost, after clients came back all at once', async () => {
  const words = ['--scenario', 'return', '--pollers', '100', '--pace', '100', '--sends', '40'];
  const { exitCode, report } = await load(...words, '--break', 'holes');
  expect(report).toMatchObject({ failures: {}, timed_ms: { returns: { count: 100 } } });
  expect(report['lost']).toBeGreaterThan(0);
  expect(exitCode).toBe(1);
});
