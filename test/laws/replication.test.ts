import { expect, test } from 'vitest';

import { getWorld } from '../support/index.ts';

test('every table has what tells its rows apart, without which a published database refuses their changes', async () => {
  const { sql } = await getWorld();
  const tables = await sql<{ name: string; isKnown: boolean }[]>`
    select n.nspname || '.' || c.relname as name,
      c.relreplident in ('f', 'i')
        or exists (select from pg_index where indrelid = c.oid and indisprimary) as "isKnown"
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind in ('r', 'p') and n.nspname in ('public', 'drizzle')`;
  expect(tables.length).toBeGreaterThan(50);
  expect(tables.filter(({ isKnown }) => !isKnown).map(({ name }) => name)).toEqual([]);
});
