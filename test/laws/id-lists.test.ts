import { intArray } from '@parley/model';
import { sql } from 'drizzle-orm';
import { expect, test } from 'vitest';

import { getWorld } from '../support/index.ts';

test('Postgres knows the ids of a list when it plans, and hashes them', async () => {
  const { engine } = await getWorld();
  const ids = Array.from({ length: 3000 }, (_, index) => index);
  const rows = await engine.db.execute<{ 'QUERY PLAN': string }>(sql`
    explain (analyze, costs off, timing off, summary off)
    select from generate_series(1, 10) message (id) where id = any(${intArray(ids)})`);
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
  expect(plan.includes("ANY ('{0,1,2,3"), plan.slice(0, 200)).toBe(true);
});
