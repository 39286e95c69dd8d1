import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { type Endpoint, addressOf, endpoints } from '@parley/api';
import { tables } from '@parley/db';
import { bodyMebibytesMax } from '@parley/infra';
import { importLimits, limits } from '@parley/protocol';
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core';
import { describe, expect, test } from 'vitest';

import { getWorld } from '../support/index.ts';
import { root } from './source-files.ts';

const read = (path: string) => readFileSync(join(root, path), 'utf8');

interface Column {
  table: string;
  column: string;
  type: string;
  is_nullable: boolean;
  has_default: boolean;
}

/** Names of types as Drizzle writes them, by the names that Postgres gives them. */
const typeNames: Record<string, string> = {
  int4: 'integer',
  int8: 'bigint',
  int2: 'smallint',
  bool: 'boolean',
  timestamptz: 'timestamp with time zone',
  _int4: 'integer[]',
  _text: 'text[]',
  _int8: 'bigint[]',
};

/** Tables that SQL functions alone read and write. */
const tablesOfFunctions = new Set([
  'event_log',
  'presence_updates',
  'realm_locks',
  'merged_archives',
  'imported_messages',
  'import_holds',
]);

describe('the tables that the code declares', () => {
  const declared = Object.values(tables)
    .filter((table) => table instanceof PgTable)
    .map((table) => getTableConfig(table));

  async function migrated(): Promise<Column[]> {
    const { sql } = await getWorld();
    return [
      ...(await sql<Column[]>`
        select c.relname as table, a.attname as column, t.typname as type, not a.attnotnull as is_nullable,
          a.atthasdef or a.attidentity <> '' as has_default
        from pg_class c
        join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'public'
        join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
        join pg_type t on t.oid = a.atttypid
        where c.relkind = 'r'`),
    ];
  }

  test('are those of the migrated schema', async () => {
    const names = new Set((await migrated()).map(({ table }) => table));
    const missing = [...names].filter((name) => !declared.some((table) => table.name === name));
    expect(missing.filter((name) => !tablesOfFunctions.has(name))).toEqual([]);
    expect(declared.map(({ name }) => name).filter((name) => !names.has(name))).toEqual([]);
  });

  test.each(declared.map((table) => [table.name, table] as const))(
    '%s has its columns',
    async (name, table) => {
      const columns = (await migrated()).filter((column) => column.table === name);
      const inCode = new Map(table.columns.map((column) => [column.name, column]));
      for (const { column, type, is_nullable, has_default } of columns) {
        const declaration = inCode.get(column);
        const expected = { type: typeNames[type] ?? type, is_nullable };
        // What the code never names, it must not have to fill in.
        const unnamed = is_nullable || has_default ? expected : 'not declared';
        const actual = declaration && { type: declaration.getSQLType(), is_nullable: !declaration.notNull };
        expect(actual ?? unnamed, column).toEqual(expected);
      }
      const names = columns.map(({ column }) => column);
      expect([...inCode.keys()].filter((column) => !names.includes(column))).toEqual([]);
    },
  );
});

describe('a pending event', () => {
  const source = read('shared/protocol/src/pending-event.ts');
  const functions = ['append_events', 'log_event']
    .map((name) => read(`shared/db/functions/${name}.sql`))
    .join('\n');

  /** Keys of an interface, as its source declares them. */
  function keysOf(name: string): string[] {
    const body = new RegExp(`interface ${name}\\b[^{]*\\{\\n([\\s\\S]*?)\\n\\}`).exec(source)?.[1] ?? '';
    return [...body.matchAll(/^ {2}(\w+)\??:/gm)].map(([, key]) => key ?? '');
  }

  /** Keys that the SQL functions read of a JSON variable, by any operator. */
  function keysRead(variables: string): string[] {
    const operators = new RegExp(`\\b(?:${variables}) (?:\\?|->>?|#>>?) '\\{?(\\w+)`, 'g');
    return [...new Set([...functions.matchAll(operators)].map(([, key]) => key ?? ''))];
  }

  test('has the keys that append_events reads, and no others', () => {
    const keys = [...keysOf('Audience'), ...keysOf('PendingEvent')];
    expect(keys.length).toBeGreaterThan(15);
    expect(keysRead('pending|p_pending|d').sort()).toEqual(keys.sort());
  });

  test('has a message with the keys that append_events reads', () => {
    const keys = keysOf('NewMessage');
    expect(keys.length).toBeGreaterThan(15);
    expect(keysRead('m').sort()).toEqual(keys.sort());
  });
});

/** The largest file that an endpoint takes, in MiB; null if it takes none. */
function takenBy(endpoint: Endpoint): number | null {
  if (endpoint.kind === 'tus') {
    return endpoint.of === 'archive' ? importLimits.pieceMebibytes : limits.uploadMebibytes;
  }
  return endpoint.kind === 'json' && endpoint.upload ? endpoint.upload.mebibytesMax : null;
}

test('the proxy admits the largest file of every endpoint that takes files', () => {
  const { default: _, ...larger } = bodyMebibytesMax;
  const taking = endpoints.flatMap((endpoint) => {
    const mebibytes = takenBy(endpoint);
    if (mebibytes === null) return [];
    const address = addressOf(endpoint).replace(/:.*/, '');
    // A browser sends the same with its session.
    return [address, address.replace(/^\/api\/v1/, '/json')].map((one) => [one, mebibytes + 1]);
  });
  expect(Object.fromEntries(taking)).toEqual(larger);
});
