import { listServers } from '@parley/db';
import { buildCommand } from '@stricli/core';

import type { Context } from '../context.ts';
import { type CommonFlags, commonFlags } from '../flags.ts';
import { table } from '../table.ts';

async function run(this: Context, _flags: CommonFlags): Promise<void> {
  const servers = await listServers(this.settings().DATABASE_URL);
  const rows = servers.map(({ server, organizations, bytes }) => [
    server,
    organizations,
    `${Math.ceil(bytes / 2 ** 20)} MiB`,
  ]);
  this.show({ servers }, table(['server', 'organizations', 'size'], rows));
}

export const serversCommand = buildCommand({
  func: run,
  parameters: { flags: commonFlags },
  docs: {
    brief: 'List the servers of a divided database, and how many organizations each holds',
    customUsage: ['', '--json'],
  },
});
