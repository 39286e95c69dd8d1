import { readLogHeads } from '@parley/log';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type CommonFlags, commonFlags, optionalTextFlag } from '../../flags.ts';
import { table } from '../../table.ts';

interface Flags extends CommonFlags {
  realm?: string;
}

async function run(this: Context, { realm }: Flags): Promise<void> {
  await using deployment = await this.open();
  const realmId = realm === undefined ? undefined : (await deployment.getRealm(realm)).id;
  const heads = await readLogHeads(deployment.engine.sql, realmId);
  const logs = heads.map((head) => ({
    realm_id: head.realmId,
    realm: head.realm,
    epoch: head.epoch,
    seq: head.seq,
    kept: head.kept,
    oldest_at: head.oldestAt?.toISOString() ?? null,
  }));
  const rows = logs.map((log) => [log.realm, log.seq, log.kept, log.oldest_at]);
  this.show({ logs }, table(['realm', 'last entry', 'kept', 'oldest kept'], rows));
}

export const logHeadCommand = buildCommand({
  func: run,
  parameters: {
    flags: { ...commonFlags, realm: optionalTextFlag('name', 'Only this organization') },
  },
  docs: {
    brief: 'Show where the logs end and how much of them is kept',
    customUsage: ['', '--realm acme', '--json'],
  },
});
