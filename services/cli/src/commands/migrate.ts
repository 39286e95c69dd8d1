import { migrate } from '@parley/db';
import { buildCommand } from '@stricli/core';

import type { Context } from '../context.ts';
import { type CommonFlags, commonFlags } from '../flags.ts';

async function run(this: Context, _flags: CommonFlags): Promise<void> {
  const { DATABASE_URL } = this.settings();
  await migrate(DATABASE_URL);
  this.show({ migrated: true }, 'The database is up to date.');
}

export const migrateCommand = buildCommand({
  func: run,
  parameters: { flags: commonFlags },
  docs: {
    brief: 'Bring the database up to date, before the nodes of a new version start',
    customUsage: ['', '--json'],
  },
});
