import { randomBytes } from 'node:crypto';
import { rm } from 'node:fs/promises';

import { type Sql, connectSql } from '@parley/db';
import { type FileStore, createDiskStore } from '@parley/files';
import { makeTiedFolder } from '@parley/infra';
import { inject } from 'vitest';

import { getWorld } from './world.ts';

/** Another deployment, with an api node and nothing in its database. Its secret is that of the file's world. */
export interface Elsewhere extends AsyncDisposable {
  databaseUrl: string;
  /** The folder of its files. */
  uploads: string;
  sql: Sql;
  store: FileStore;
  port: number;
}

export async function startElsewhere(): Promise<Elsewhere> {
  const { databaseUrl: serverUrl, templateName } = inject('servers');
  const admin = connectSql({ url: serverUrl, name: 'test-admin', max: 1 });
  const name = `parley_test_${randomBytes(6).toString('hex')}`;
  await admin.unsafe(`create database ${name} template ${templateName}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const sql = connectSql({ url: url.href, name: 'elsewhere', max: 4 });
  const folder = await makeTiedFolder('parley-elsewhere-');
  const store = createDiskStore(folder);
  const { startApi } = await getWorld();
  const api = await startApi({ databaseUrl: url.href, store });
  return {
    databaseUrl: url.href,
    uploads: folder,
    sql,
    store,
    port: api.port,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await sql.end({ timeout: 5 });
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end({ timeout: 5 });
      await rm(folder, { recursive: true, force: true });
    },
  };
}
