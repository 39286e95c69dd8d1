import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { expect, test } from 'vitest';

import { seed } from '../support/seed.ts';

const program = fileURLToPath(new URL('../dist/simulate/main.js', import.meta.url));

interface Report {
  holds: boolean;
  result: string;
  totals: { schedules: number; digest: number; faults: Record<string, number> };
}

/** They are the first of those that `npm run night` simulates on the same day. */
const schedules = 60;
/** They take six seconds where nothing else runs, and minutes where much does. */
const timeout = 1_200_000;

/** `npm run simulate` as anyone runs it. */
const simulate = (...args: string[]) =>
  new Promise<Report>((resolve, reject) => {
    execFile(process.execPath, [program, '--json', ...args], (_error, stdout, stderr) => {
      if (stdout === '') return reject(new Error(`simulate printed no report:\n${stderr.slice(-2000)}`));
      resolve(JSON.parse(stdout) as Report);
    });
  });

test(
  `what was acknowledged is heard or the client is told, in the schedules of the seed ${seed}`,
  { timeout },
  async () => {
    const { result, totals } = await simulate('--schedules', String(schedules), '--seed', String(seed));
    expect(result).toMatch(/nothing lost, repeated, reordered, leaked or kept secret\.$/);
    expect(totals.schedules).toBe(schedules);
    expect(Object.keys(totals.faults).length).toBeGreaterThan(14);
  },
);

test('the same seed makes the same schedules, step by step', async () => {
  const once = await simulate('--schedules', '12', '--seed', String(seed), '--workers', '1');
  const again = await simulate('--schedules', '12', '--seed', String(seed), '--workers', '1');
  expect(again.totals).toEqual(once.totals);
});

/** Each day one. `npm run simulate -- --guards` takes out these and all others. */
const guards = ['hole-filling', 'fence'];

test.each(guards.filter((_, index) => index === seed % guards.length))(
  'a simulation without the guard %s fails',
  { timeout },
  async (guard) => {
    const { holds, result } = await simulate(
      '--schedules',
      String(schedules),
      '--seed',
      '1',
      '--break',
      guard,
    );
    expect([holds, result]).toEqual([false, expect.stringContaining(`--break ${guard} --trace`)]);
  },
);
