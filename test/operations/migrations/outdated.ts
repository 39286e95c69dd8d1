import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type MigrateOptions, type Sql, connectSql, migrate } from '@parley/db';
import { expect } from 'vitest';

import { createDatabase } from '../../support/database.ts';

const migrations = fileURLToPath(new URL('../../../shared/db/migrations', import.meta.url));

/** A database that lacks migrations which a test has written. */
interface OutdatedDatabase extends AsyncDisposable {
  url: string;
  folder: string;
  sql: Sql;
  /** What migrating has said. */
  lines: string[];
  migrate(options?: MigrateOptions): Promise<void>;
  /** Whether the journal has all of them. */
  isCurrent(): Promise<boolean>;
  /** Kills the connection that migrates, as if its process had died. */
  killMigration(): Promise<void>;
  /** Resolves once the statement that migrates waits for a lock. */
  waits(): Promise<void>;
  /** Begins a transaction that holds what a statement locks. */
  hold(statement: string): Promise<AsyncDisposable & { pid: number }>;
}

/** Creates a database that has every migration but these, which come after the last one. */
export async function createOutdated(...files: readonly string[]): Promise<OutdatedDatabase> {
  const database = await createDatabase();
  const folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'));
  await cp(migrations, folder, { recursive: true });
  const sql = connectSql({ url: database.url, name: 'test', max: 4 });
  const [journal] = await sql<
    { count: number }[]
  >`select count(*)::int as count from drizzle.__drizzle_migrations`;
  const first = journal?.count ?? 0;
  for (const [at, file] of files.entries()) {
    const number = String(first + at).padStart(4, '0');
    await writeFile(join(folder, `${number}_of_test.sql`), file);
  }
  const lines: string[] = [];
  return {
    url: database.url,
    folder,
    sql,
    lines,
    migrate: (options) => migrate(database.url, { folder, say: (line) => void lines.push(line), ...options }),
    async isCurrent() {
      const [row] = await sql<{ count: number }[]>`
        select count(*)::int as count from drizzle.__drizzle_migrations`;
      return row?.count === first + files.length;
    },
    async killMigration() {
      await sql`
        select pg_terminate_backend(pid, 60000) from pg_stat_activity
        where application_name = 'parley-migrate' and datname = current_database()`;
    },
    async waits() {
      const waiting = () => sql`
        select from pg_locks l join pg_stat_activity a using (pid)
        where a.application_name = 'parley-migrate' and a.datname = current_database() and not l.granted`;
      await expect.poll(waiting, { timeout: 60_000 }).toHaveLength(1);
    },
    hold: (statement) => hold(database.url, statement),
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 5 });
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

async function hold(url: string, statement: string): Promise<AsyncDisposable & { pid: number }> {
  const sql = connectSql({ url, name: 'holder', max: 1 });
  await sql.unsafe('set idle_in_transaction_session_timeout = 0');
  const [row] = await sql<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await sql.unsafe('begin');
  await sql.unsafe(statement);
  return {
    pid: row?.pid ?? 0,
    async [Symbol.asyncDispose]() {
      await sql.unsafe('rollback').catch(() => undefined);
      await sql.end({ timeout: 5 });
    },
  };
}

/** A table of so many rows, for a migration to change. */
export const things = (count: number) => `
  create table things (id bigint generated always as identity primary key, name text not null, size int);
  insert into things (name) select 'thing ' || n from generate_series(1, ${count}) n;`;
