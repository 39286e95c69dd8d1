import { distribute, isDistributed, planDistribution } from '@parley/db';
import { expect, test } from 'vitest';

import { createDatabase } from '../../support/database.ts';
import { getWorld, parley, withProcesses } from '../../support/index.ts';

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
