import { createHash } from 'node:crypto';

import type { Sql, TransactionSql } from 'postgres';

import { MigrationError } from './migration-error.ts';
import type { Migration, Step } from './read-migrations.ts';

type Tx = Sql | TransactionSql;

/** Creates the journal where there is none. It is that of Drizzle's migrator, which ran the migrations of earlier versions. */
export async function createJournal(sql: Sql): Promise<void> {
  const [known] = await sql<{ is: boolean }[]>`
    select to_regclass('drizzle.__drizzle_migrations') is not null
      and to_regclass('drizzle.migration_steps') is not null as is`;
  if (known?.is) return;
  await sql.unsafe(`
    create schema if not exists drizzle;
    create table if not exists drizzle.__drizzle_migrations (
      id serial primary key,
      hash text not null,
      created_at bigint
    );
    -- Steps of migrations that have begun and not ended. They go when their migration is in the journal.
    create table if not exists drizzle.migration_steps (
      migration text not null,
      step int not null,
      hash text not null,
      begun_at timestamptz not null default now(),
      ended_at timestamptz,
      -- Of a backfill: the key of the last row that it went over, and how many of about how many rows.
      filled text,
      last_key jsonb,
      rows_done bigint,
      rows_total bigint,
      primary key (migration, step)
    );`);
}

export async function lastMigrationAt(sql: Sql): Promise<number> {
  const [last] = await sql<{ at: number | null }[]>`
    select max(created_at)::float8 as at from drizzle.__drizzle_migrations`;
  return last?.at ?? 0;
}

/** Writes a migration into the journal, from when on nodes know that it has ended. */
export async function recordMigration(tx: Tx, { tag, hash, when }: Migration): Promise<void> {
  await tx`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${when})`;
  await tx`delete from drizzle.migration_steps where migration = ${tag}`;
}

export interface StepState {
  hasEnded: boolean;
  lastKey: readonly string[] | null;
  rowsDone: number;
  rowsTotal: number;
}

/** Returns how far a step is, or null if it has not begun. @throws MigrationError if it began with another text */
export async function findStep(
  tx: Tx,
  { tag }: Migration,
  number: number,
  step: Step,
): Promise<StepState | null> {
  const [row] = await tx<
    { hash: string; ended: boolean; key: readonly string[] | null; done: number; total: number }[]
  >`
    select hash, ended_at is not null as ended, last_key as key,
      coalesce(rows_done, 0)::float8 as done, coalesce(rows_total, 0)::float8 as total
    from drizzle.migration_steps where migration = ${tag} and step = ${number}`;
  if (!row) return null;
  if (row.ended && row.hash !== hashOf(step)) {
    throw new MigrationError(
      `${tag} has another step ${number} than the one that this database has run. ` +
        'Go on with the version of Parley that began it.',
    );
  }
  return { hasEnded: row.ended, lastKey: row.key, rowsDone: row.done, rowsTotal: row.total };
}

export async function beginStep(
  tx: Tx,
  { tag }: Migration,
  number: number,
  step: Step,
  rowsTotal: number | null = null,
): Promise<void> {
  await tx`
    insert into drizzle.migration_steps (migration, step, hash, filled, rows_done, rows_total)
    values (${tag}, ${number}, ${hashOf(step)}, ${step.filled?.table ?? null}, ${rowsTotal === null ? null : 0}, ${rowsTotal})
    on conflict (migration, step) do update set hash = excluded.hash`;
}

export async function endStep(tx: Tx, { tag }: Migration, number: number): Promise<void> {
  await tx`
    update drizzle.migration_steps set ended_at = now(), rows_total = rows_done
    where migration = ${tag} and step = ${number}`;
}

export async function advanceStep(
  tx: Tx,
  { tag }: Migration,
  number: number,
  lastKey: readonly string[],
  rows: number,
): Promise<void> {
  await tx`
    update drizzle.migration_steps
    set last_key = ${JSON.stringify(lastKey)}::text::jsonb, rows_done = rows_done + ${rows},
      rows_total = greatest(rows_total, rows_done + ${rows})
    where migration = ${tag} and step = ${number}`;
}

const hashOf = ({ statements }: Step) => createHash('sha256').update(statements.join(';')).digest('hex');
