import { randomBytes } from 'node:crypto';

import { connectSql } from '@parley/db';
import { inject } from 'vitest';

/** A migrated database of its own in the Postgres of the run. */
interface OwnDatabase extends AsyncDisposable {
  url: string;
}

export async function createDatabase(): Promise<OwnDatabase> {
  const { databaseUrl, templateName } = inject('servers');
  const admin = connectSql({ url: databaseUrl, name: 'test-admin', max: 1 });
  const name = `parley_test_${randomBytes(6).toString('hex')}`;
  await admin.unsafe(`create database ${name} template ${templateName}`);
  const url = new URL(databaseUrl);
  url.pathname = `/${name}`;
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      await admin.unsafe(`drop database if exists ${name} with (force)`);
      await admin.end({ timeout: 5 });
    },
  };
}
