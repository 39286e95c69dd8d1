import { columnsOf, exportedTables, leftOut } from '@parley/archive';
import { describe, expect, test } from 'vitest';

import { getWorld } from '../support/index.ts';

interface Column {
  table: string;
  column: string;
  type: string;
}

async function columns(): Promise<Column[]> {
  const { sql } = await getWorld();
  return await sql<Column[]>`
    select table_name as table, column_name as column, udt_name as type
    from information_schema.columns join information_schema.tables using (table_schema, table_name)
    where table_schema = 'public' and table_type = 'BASE TABLE'`;
}

/** Types whose values may be ids, or hold some. */
const mayHoldIds = new Set(['int4', 'int8', '_int4', '_int8', 'int4multirange', 'int8multirange', 'jsonb']);

test('every table is exported, or left out for a reason', async () => {
  const names = [...new Set((await columns()).map(({ table }) => table))].sort();
  expect([...exportedTables.map(({ name }) => name), ...Object.keys(leftOut)].sort()).toEqual(names);
});

/** Columns that a deployment has until its upgrade is finished. */
const formerColumns: Readonly<Record<string, readonly string[]>> = { messages: ['search'] };

describe.each(exportedTables.map((table) => [table.name, table] as const))(
  'the archive’s %s',
  (name, table) => {
    const { refs, draws, drawnIn = 'id', omitted = [], blanked, secrets, reset } = table;
    const own = async () => (await columns()).filter((one) => one.table === name);

    test('says of every column whether it holds ids', async () => {
      const said = new Set([...Object.keys(refs), ...omitted, ...(draws === undefined ? [] : [drawnIn])]);
      const unsaid = (await own()).filter(({ column, type }) => mayHoldIds.has(type) && !said.has(column));
      expect(unsaid).toEqual([]);
    });

    test('names columns that it has', async () => {
      const has = new Set((await own()).map(({ column }) => column));
      const named = [refs, blanked, secrets, reset].flatMap((values) => Object.keys(values ?? {}));
      const former = formerColumns[name] ?? [];
      expect([...named, ...omitted].filter((column) => !has.has(column) && !former.includes(column))).toEqual(
        [],
      );
    });

    test('has a schema for every column that is exported, and for no other', async () => {
      const exported = (await own())
        .map(({ column }) => column)
        .filter((column) => !omitted.includes(column));
      expect(columnsOf(name).sort()).toEqual(exported.sort());
    });

    test('looks others up by the number of the realm', () => {
      const { shared } = table;
      const scope = { realmId: 7, consenting: [1], isPublic: false };
      const condition = typeof shared === 'function' ? shared(scope) : '';
      // A server of a divided database knows a realm by no other row.
      expect(condition).not.toMatch(/= t\.realm_id/);
      expect(condition.match(/exists \(/g)?.length ?? 0).toBeLessThanOrEqual(
        condition.match(/realm_id = 7/g)?.length ?? 0,
      );
    });

    test('refers to tables that are exported', () => {
      const drawn = new Set(exportedTables.map((one) => one.draws));
      const referred = Object.values(refs).flatMap((one) => (typeof one === 'object' ? [one.ids] : []));
      expect(referred.filter((numbers) => !drawn.has(numbers))).toEqual([]);
    });
  },
);
