import { pause } from '@parley/kit';
import type { Sql, TransactionSql } from 'postgres';

import { isStatementTooLong } from '../connect.ts';
import { MigrationError } from './migration-error.ts';
import { tryPatiently } from './patience.ts';
import { advanceStep, beginStep, endStep, findStep } from './progress.ts';
import type { Step } from './read-migrations.ts';
import { type Run, nameOfStep } from './run.ts';
import { assertTurn } from './session.ts';
import { failureOf } from './statements.ts';

const rows = { first: 500, least: 10, most: 10_000 };
/** Portions get as large as can be filled in this time: whoever changes one of their rows waits for so long. */
const portionMs = 100;
/** A portion that takes as long as this is taken back, and tried again with fewer rows. */
const portionMsMax = 3000;
const sayEveryMs = 5000;

interface KeyColumn {
  name: string;
  type: string;
}

interface Filled {
  table: string;
  alias: string;
}

/**
 * Goes over the rows of a table in the order of its primary key, in portions: each is a transaction that also writes
 * down how far it got, so that whoever goes on later neither repeats nor leaves out any. Between portions it rests for
 * half the time that they take.
 */
export async function runBackfill(run: Run, number: number, step: Step & { filled: Filled }): Promise<void> {
  const { session, migration, say } = run;
  const { filled } = step;
  const key = await findPrimaryKey(session.sql, filled.table);
  if (!(await findStep(session.sql, migration, number, step))) {
    await beginStep(session.sql, migration, number, step, await estimateRows(session.sql, filled.table));
  }
  let size = rows.first;
  let sayAtMs = performance.now() + sayEveryMs;
  for (;;) {
    const beganMs = performance.now();
    const portion = await tryPatiently({
      ...run,
      what: nameOfStep(run, number),
      attempt: () => fillPortion(run, number, step, key, size),
    });
    if (portion === 'ended') break;
    const tookMs = performance.now() - beganMs;
    size = nextSize(size, tookMs);
    if (portion === 'slow') continue;
    if (performance.now() > sayAtMs) {
      say(`${nameOfStep(run, number)}: ${portion.done} of about ${portion.total} rows of ${filled.table}`);
      sayAtMs = performance.now() + sayEveryMs;
    }
    await pause(tookMs / 2);
  }
  const state = await findStep(session.sql, migration, number, step);
  say(`${nameOfStep(run, number)}: went over all ${state?.rowsDone ?? 0} rows of ${filled.table}`);
}

/** Returns how many rows the next portion has: what fits the time, but at most twice as many as before. */
export function nextSize(size: number, tookMs: number): number {
  const fitting = Math.floor((size * portionMs) / Math.max(tookMs, 1));
  return Math.min(Math.max(fitting, Math.ceil(size / 2), rows.least), size * 2, rows.most);
}

/** How far a backfill is, or that there is no further row, or that a portion took too long and was taken back. */
type Portion = { done: number; total: number } | 'ended' | 'slow';

async function fillPortion(
  run: Run,
  number: number,
  step: Step & { filled: Filled },
  key: readonly KeyColumn[],
  size: number,
): Promise<Portion> {
  const { session, migration, patience } = run;
  const [statement = ''] = step.statements;
  const fill = async (tx: TransactionSql): Promise<Portion> => {
    await assertTurn(tx);
    const lockMs = Math.ceil(patience.lockMs);
    await tx.unsafe(`set local lock_timeout = ${lockMs}; set local statement_timeout = ${portionMsMax}`);
    const state = await findStep(tx, migration, number, step);
    const end = await findEnd(tx, step.filled, key, state?.lastKey ?? null, size);
    if (!state || !end) {
      await endStep(tx, migration, number);
      return 'ended';
    }
    const range = rangeOf(step.filled.alias, key, state.lastKey, end.key);
    await tx.unsafe(statement.replaceAll(/\bportion\b/g, () => range));
    await advanceStep(tx, migration, number, end.key, end.rows);
    const done = state.rowsDone + end.rows;
    return { done, total: Math.max(done, state.rowsTotal) };
  };
  try {
    return await session.sql.begin(fill);
  } catch (error) {
    if (size > rows.least && isStatementTooLong(error)) return 'slow';
    throw failureOf(nameOfStep(run, number), statement, error);
  }
}

/** Returns the key of the last row of the next portion and how many rows it has, or null if there is none. */
async function findEnd(
  tx: TransactionSql,
  { table, alias }: Filled,
  key: readonly KeyColumn[],
  after: readonly string[] | null,
  size: number,
): Promise<{ key: string[]; rows: number } | null> {
  const columns = key.map(({ name }) => `${alias}.${name}`);
  const [row] = await tx.unsafe<{ key: string[]; rows: number }[]>(`
    with portion as (
      select ${columns.join(', ')} from ${table} ${alias}
      where ${rangeOf(alias, key, after, null)} order by ${columns.join(', ')} limit ${size}
    )
    select array[${key.map(({ name }) => `${name}::text`).join(', ')}] as key,
      (select count(*) from portion)::float8 as rows
    from portion order by ${key.map(({ name }) => `${name} desc`).join(', ')} limit 1`);
  return row ?? null;
}

/** Returns a condition for rows whose key is greater than one and at most another. */
function rangeOf(
  alias: string,
  key: readonly KeyColumn[],
  after: readonly string[] | null,
  end: readonly string[] | null,
): string {
  const columns = key.map(({ name }) => `${alias}.${name}`).join(', ');
  const valueOf = (values: readonly string[]) =>
    key.map(({ type }, at) => `${quote(values[at] ?? '')}::${type}`).join(', ');
  const bounds = [
    ...(after ? [`(${columns}) > (${valueOf(after)})`] : []),
    ...(end ? [`(${columns}) <= (${valueOf(end)})`] : []),
  ];
  return bounds.length === 0 ? 'true' : `(${bounds.join(' and ')})`;
}

/** Backslashes mean nothing in a literal that does not begin with E. */
const quote = (text: string) => `'${text.replaceAll("'", "''")}'`;

async function findPrimaryKey(sql: Sql, table: string): Promise<KeyColumn[]> {
  const columns = await sql<KeyColumn[]>`
    select quote_ident(a.attname) as name, format_type(a.atttypid, a.atttypmod) as type
    from pg_index i
    cross join lateral unnest(i.indkey[0:i.indnkeyatts - 1]) with ordinality as k (attnum, place)
    join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
    where i.indrelid = to_regclass(${table}) and i.indisprimary
    order by k.place`;
  if (columns.length > 0) return [...columns];
  throw new MigrationError(`${table} cannot be filled in portions, because it has no primary key.`);
}

/** Returns about how many rows a table has; exactly, where Postgres has not looked yet. */
export async function estimateRows(sql: Pick<Sql, 'unsafe'>, table: string): Promise<number> {
  const [estimate] = await sql.unsafe<{ rows: number | null }[]>(
    `select (select reltuples from pg_class where oid = to_regclass('${table}'))::float8 as rows`,
  );
  if (estimate?.rows === null || estimate === undefined) return 0;
  if (estimate.rows >= 0) return Math.round(estimate.rows);
  const [counted] = await sql.unsafe<{ rows: number }[]>(`select count(*)::float8 as rows from ${table}`);
  return counted?.rows ?? 0;
}
