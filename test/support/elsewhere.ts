import { rm } from 'node:fs/promises';

import { type Database, type Sql, connectDatabase, connectSql } from '@parley/db';
import { type FileStore, createDiskStore } from '@parley/files';
import { makeTiedFolder } from '@parley/infra';

import { createDatabase } from './database.ts';
import { getWorld } from './world.ts';

/** Another deployment, with an api node and nothing in its database. Its secret is that of the file's world. */
export interface Elsewhere extends AsyncDisposable {
  databaseUrl: string;
  /** The folder of its files. */
  uploads: string;
  sql: Sql;
  /** The same database, for what the API reads with. */
  db: Database;
  store: FileStore;
  port: number;
}

export async function startElsewhere(): Promise<Elsewhere> {
  const database = await createDatabase();
  const sql = connectSql({ url: database.url, name: 'elsewhere', max: 4 });
  const db = connectDatabase({ url: database.url, name: 'elsewhere', max: 4 });
  const folder = await makeTiedFolder('parley-elsewhere-');
  const store = createDiskStore(folder);
  const { startApi } = await getWorld();
  const api = await startApi({ databaseUrl: database.url, store });
  return {
    databaseUrl: database.url,
    uploads: folder,
    sql,
    db,
    store,
    port: api.port,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await sql.end({ timeout: 5 });
      await db[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
