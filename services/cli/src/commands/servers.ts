import { listServers } from '@parley/db';
import { sum } from '@parley/kit';
import { buildCommand } from '@stricli/core';

import type { Context } from '../context.ts';
import { type CommonFlags, commonFlags } from '../flags.ts';
import { table } from '../table.ts';

async function run(this: Context, _flags: CommonFlags): Promise<void> {
  const servers = await listServers(this.settings().DATABASE_URL);
  const rows = servers.map(({ server, organizations, bytes, held }) => [
    server,
    organizations,
    `${Math.ceil(bytes / 2 ** 20)} MiB`,
    held?.parts ?? '?',
    held?.closed ?? '?',
  ]);
  const listed = table(['server', 'organizations', 'size', 'parts', 'closed'], rows);
  const closed = sum(servers.map(({ held }) => held?.closed ?? 0));
  const advice =
    closed === 0
      ? ''
      : `\nIn ${closed} parts of the tables each statement costs several times as much, until \`parley migrate --distribute\` opens them.`;
  this.show({ servers }, listed + advice);
}

export const serversCommand = buildCommand({
  func: run,
  parameters: { flags: commonFlags },
  docs: {
    brief: 'List the servers of a divided database, and how many organizations each holds',
    customUsage: ['', '--json'],
  },
});
