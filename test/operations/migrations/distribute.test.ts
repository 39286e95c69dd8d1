import { distribute, isDistributed, planDistribution } from '@parley/db';
import { expect, test } from 'vitest';

import { createDatabase } from '../../support/database.ts';
import { getWorld, parley, realm, withProcesses } from '../../support/index.ts';

const lacking = 'The database has no extension Citus';

test('a Postgres without Citus says what is missing, and nothing changes', async () => {
  const { sql } = await getWorld();
  await using database = await createDatabase();
  await expect(distribute(database.url)).rejects.toThrow(lacking);
  await expect(planDistribution(database.url)).rejects.toThrow(lacking);
  expect(await isDistributed(sql)).toBe(false);
});

test('the command line says so in one sentence and ends with 1', withProcesses, async () => {
  const { code, stderr } = await parley(['migrate', '--distribute']);
  expect({ code, lines: stderr.trim().split('\n').length }).toEqual({ code: 1, lines: 1 });
  expect(stderr).toContain(lacking);
});

test.each([['servers'], ['realm move'], ['realm isolate'], ['rebalance'], ['rebalance --dry-run']])(
  'parley %s says that a Postgres alone is not divided, and ends with 1',
  withProcesses,
  async (command) => {
    const { realm: home } = await realm();
    const named = command.startsWith('realm') ? [home.name] : [];
    const to = command === 'realm move' ? ['--to', 'worker-2:5432'] : [];
    const { code, stderr } = await parley([...command.split(' '), ...named, ...to]);
    expect(code).toBe(1);
    expect(stderr).toContain('The database is not divided over several servers');
  },
);
