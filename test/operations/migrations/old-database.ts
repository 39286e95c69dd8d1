import { cp, mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Sql, connectSql, migrate } from '@parley/db';

import { createDatabase } from '../../support/database.ts';

const [migrations, functions] = ['migrations', 'functions'].map((name) =>
  fileURLToPath(new URL(`../../../shared/db/${name}`, import.meta.url)),
) as [string, string];

interface OldDatabase extends AsyncDisposable {
  sql: Sql;
  url: string;
  /** Runs the migrations up to this number. Functions stay as they are, which those of now need not suit. */
  migrateTo(lastMigration: number): Promise<void>;
}

/** Creates a database as a version before left it, whose last migration has this number. */
export async function createOld(lastMigration: number): Promise<OldDatabase> {
  const database = await createDatabase();
  const sql = connectSql({ url: database.url, name: 'test', max: 2 });
  await sql.unsafe('drop schema public cascade; drop schema drizzle cascade; create schema public');
  const later = await migrateTo(database.url, lastMigration);
  await dropLater(sql, later);
  return {
    sql,
    url: database.url,
    migrateTo: async (last) => void (await migrateTo(database.url, last)),
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 5 });
      await database[Symbol.asyncDispose]();
    },
  };
}

/** Runs the migrations up to a number, and returns the texts of those that it leaves out. */
async function migrateTo(url: string, lastMigration: number): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'));
  await cp(migrations, folder, { recursive: true });
  const later: string[] = [];
  for (const name of await readdir(folder)) {
    if (Number(name.slice(0, 4)) <= lastMigration) continue;
    later.push(await readFile(join(folder, name), 'utf8'));
    await rm(join(folder, name));
  }
  try {
    await migrate(url, { folder });
  } catch (error) {
    if (!String(error).includes('Creating the functions failed')) throw error;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
  return later;
}

/** Drops what a version of then did not have: functions of now that a later migration creates first. */
async function dropLater(sql: Sql, later: readonly string[]): Promise<void> {
  const ofNow = new Set(await readdir(functions));
  const created = later.flatMap((text) => [...text.matchAll(/^create function (\w+)\(/gm)]);
  for (const [, name] of created) {
    if (name !== undefined && ofNow.has(`${name}.sql`)) await sql.unsafe(`drop function if exists ${name}`);
  }
}
