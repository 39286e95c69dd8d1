import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { type Sql, connectSql, migrate } from '@parley/db';

import { createDatabase } from '../../support/database.ts';

const migrations = fileURLToPath(new URL('../../../shared/db/migrations', import.meta.url));

interface OldDatabase extends AsyncDisposable {
  sql: Sql;
  url: string;
}

/** Creates a database as a version before left it, whose last migration has this number. */
export async function createOld(lastMigration: number): Promise<OldDatabase> {
  const database = await createDatabase();
  const sql = connectSql({ url: database.url, name: 'test', max: 2 });
  const folder = await mkdtemp(join(tmpdir(), 'parley-migrations-'));
  await cp(migrations, folder, { recursive: true });
  for (const name of await readdir(folder)) {
    if (Number(name.slice(0, 4)) > lastMigration) await rm(join(folder, name));
  }
  await sql.unsafe('drop schema public cascade; drop schema drizzle cascade; create schema public');
  await migrate(database.url, { folder }).catch((error: unknown) => {
    // The functions of now need not suit it.
    if (!String(error).includes('Creating the functions failed')) throw error;
  });
  return {
    sql,
    url: database.url,
    async [Symbol.asyncDispose]() {
      await sql.end({ timeout: 5 });
      await rm(folder, { recursive: true, force: true });
      await database[Symbol.asyncDispose]();
    },
  };
}
