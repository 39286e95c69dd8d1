import type { Sql } from '@parley/db';

import { openSql } from '../upgrade/fill-archive.ts';

export interface RowsCompared {
  tables: number;
  /** Rows of the restored database. */
  rows: number;
  /** Rows that the destroyed database had and the archive did not. */
  newer: number;
  /** Rows of the archive that are not there as they were, the first few by table and key. */
  missing: number;
  named: string[];
}

const namedMax = 5;
/** Rows fall into so many parts. Only parts that differ are read row by row. */
const buckets = 65_536;

interface Table {
  name: string;
  /** What tells its rows apart. */
  key: string;
}

/**
 * Compares every row of every table in a database that was destroyed with one that was restored. Both have the
 * transactions by their numbers: what a transaction wrote that the restored one knows has to be there.
 */
export async function compareRows(destroyedUrl: string, restoredUrl: string): Promise<RowsCompared> {
  const [destroyed, restored] = [openSql(destroyedUrl), openSql(restoredUrl)];
  const compared: RowsCompared = { tables: 0, rows: 0, newer: 0, missing: 0, named: [] };
  try {
    for (const table of await listTables(destroyed)) {
      compared.tables += 1;
      await compareTable(destroyed, restored, table, compared);
    }
    return compared;
  } finally {
    await Promise.all([destroyed, restored].map((sql) => sql.end({ timeout: 5 })));
  }
}

async function listTables(sql: Sql): Promise<Table[]> {
  return await sql<Table[]>`
    select format('%I.%I', n.nspname, c.relname) as name,
      coalesce(
        (
          select format('row(%s)::text', string_agg(format('t.%I', a.attname), ', ' order by a.attnum))
          from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
          where i.indrelid = c.oid and i.indisprimary
        ), 't::text'
      ) as key
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'information_schema')
    order by 1`;
}

type Parts = Map<number, { rows: number; digest: string }>;

async function readParts(sql: Sql, { name, key }: Table): Promise<Parts> {
  const rows = await sql.unsafe<{ bucket: number; rows: number; digest: string }[]>(`
    select (hashtextextended(${key}, 0) & ${buckets - 1})::int as bucket, count(*)::int as rows,
      sum(hashtextextended(t::text, 0))::text as digest
    from only ${name} t group by 1`);
  return new Map(rows.map(({ bucket, ...part }) => [bucket, part]));
}

/** A row, with the transaction that wrote it. */
interface Row {
  key: string;
  writtenBy: string;
  digest: string;
}

const readRows = (sql: Sql, { name, key }: Table, differing: readonly number[]) =>
  sql.unsafe<Row[]>(
    `select ${key} as key, t.xmin::text as "writtenBy", md5(t::text) as digest from only ${name} t
     where (hashtextextended(${key}, 0) & ${buckets - 1})::int = any($1::int[])`,
    [[...differing]],
  );

/** Rows of one database that the other lacks or has with other values, and those of the other beside them. */
async function readUnlike(before: Sql, after: Sql, table: Table, compared: RowsCompared) {
  const [parts, others] = await Promise.all([readParts(before, table), readParts(after, table)]);
  for (const { rows } of others.values()) compared.rows += rows;
  const differing = [...parts].flatMap(([bucket, { rows, digest }]) => {
    const other = others.get(bucket);
    return other?.rows === rows && other.digest === digest ? [] : [bucket];
  });
  if (differing.length === 0) return { rows: [], found: new Map<string, Row>() };
  const [rows, there] = await Promise.all([
    readRows(before, table, differing),
    readRows(after, table, differing),
  ]);
  const found = new Map(there.map((row) => [row.key, row]));
  return { rows: rows.filter(({ key, digest }) => found.get(key)?.digest !== digest), found };
}

function nameSome(compared: RowsCompared, { name }: Table, rows: readonly Row[]): void {
  const some = rows.slice(0, Math.max(0, namedMax - compared.named.length));
  compared.named.push(...some.map(({ key }) => `${name} ${key}`));
}

async function compareTable(
  destroyed: Sql,
  restored: Sql,
  table: Table,
  compared: RowsCompared,
): Promise<void> {
  const { rows } = await readUnlike(destroyed, restored, table, compared);
  const archived = await findArchived(restored, [...new Set(rows.map(({ writtenBy }) => writtenBy))]);
  const missing = rows.filter(({ writtenBy }) => archived.has(writtenBy));
  compared.newer += rows.length - missing.length;
  compared.missing += missing.length;
  nameSome(compared, table, missing);
}

/** Compares every row of a database with one to which it was moved, and that went on: rows may have changed, and none is gone. */
export async function compareMoved(beforeUrl: string, afterUrl: string): Promise<RowsCompared> {
  const [before, after] = [openSql(beforeUrl), openSql(afterUrl)];
  const compared: RowsCompared = { tables: 0, rows: 0, newer: 0, missing: 0, named: [] };
  try {
    for (const table of await listTables(before)) {
      compared.tables += 1;
      const { rows, found } = await readUnlike(before, after, table, compared);
      const gone = rows.filter(({ key }) => !found.has(key));
      compared.newer += rows.length - gone.length;
      compared.missing += gone.length;
      nameSome(compared, table, gone);
    }
    return compared;
  } finally {
    await Promise.all([before, after].map((sql) => sql.end({ timeout: 5 })));
  }
}

/** Returns which of these transactions a database knows as committed. One that is too old to be asked for is. */
async function findArchived(sql: Sql, transactions: readonly string[]): Promise<Set<string>> {
  const rows = await sql<{ id: string }[]>`
    select id from unnest(${transactions}::text[]) id
    where case when id::xid8 < pg_snapshot_xmax(pg_current_snapshot())
      then coalesce(pg_xact_status(id::xid8), 'committed') = 'committed' else false end`;
  return new Set(rows.map(({ id }) => id));
}
