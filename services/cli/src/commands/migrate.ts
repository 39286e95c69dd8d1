import * as actions from '@parley/actions';
import { connectSql, migrate } from '@parley/db';
import { deriveApiKey, digestApiKey } from '@parley/http';
import { buildCommand } from '@stricli/core';

import type { Context } from '../context.ts';
import { type CommonFlags, commonFlags } from '../flags.ts';

async function run(this: Context, _flags: CommonFlags): Promise<void> {
  const { DATABASE_URL, PARLEY_SECRET } = this.settings();
  await migrate(DATABASE_URL, { say: (line) => this.process.stderr.write(`${line}\n`) });
  if (PARLEY_SECRET !== undefined) await fillKeyDigests(DATABASE_URL, PARLEY_SECRET);
  this.show({ migrated: true }, 'The database is up to date.');
}

/** Fills in what SQL alone cannot: workers would do it, but until then nodes could not find accounts by their keys. */
async function fillKeyDigests(url: string, secret: string): Promise<void> {
  const sql = connectSql({ url, name: 'migrate', max: 1 });
  const digestOf = (id: number, generation: number) =>
    digestApiKey(secret, deriveApiKey(secret, id, generation));
  try {
    let filled: number;
    do filled = await actions.users.fillKeyDigests(sql, digestOf);
    while (filled > 0);
  } finally {
    await sql.end({ timeout: 5 });
  }
}

export const migrateCommand = buildCommand({
  func: run,
  parameters: { flags: commonFlags },
  docs: {
    brief: 'Bring the database up to date, before the nodes of a new version start',
    customUsage: ['', '--json'],
  },
});
