import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type CommonFlags, commonFlags, countFlag, optionalTextFlag } from '../../flags.ts';
import { listQueueRows } from '../../list-queues.ts';
import { table } from '../../table.ts';

interface Flags extends CommonFlags {
  realm?: string;
  limit: number;
}

async function run(this: Context, { realm, limit }: Flags): Promise<void> {
  await using deployment = await this.open();
  const realmId = realm === undefined ? undefined : (await deployment.getRealm(realm)).id;
  const list = await listQueueRows(deployment, { realmId, limit });
  const rows = list.queues.map((queue) => [
    queue.queue_id,
    queue.realm,
    queue.email ?? String(queue.user_id),
    queue.node,
    queue.cursor,
    queue.behind,
    `${queue.seen_seconds_ago} s`,
  ]);
  const nodes = Object.entries(list.nodes).map(([node, count]) => [node, count]);
  const shown = rows.length < list.count ? `, of which the ${rows.length} furthest behind` : '';
  this.show(
    list,
    [
      `${list.count} queues${shown}`,
      table(['queue', 'realm', 'user', 'node', 'cursor', 'behind', 'seen'], rows),
      '',
      table(['node', 'queues'], nodes),
    ].join('\n'),
  );
}

export const queueListCommand = buildCommand({
  func: run,
  parameters: {
    flags: {
      ...commonFlags,
      realm: optionalTextFlag('name', 'Only this organization'),
      limit: countFlag('50', 'How many to show, furthest behind first'),
    },
  },
  docs: {
    brief: 'List event queues: who polls, at which node, up to which entry, how far behind',
    fullDescription:
      'Lists event queues. The cursor is the log entry that the client has acknowledged, as of the last time the queue was stored (seen): about every two minutes while it is polled. Behind is the number of entries after it; while a poll waits, none of them is for its queue.',
    customUsage: ['', '--realm acme --limit 10', '--json'],
  },
});
