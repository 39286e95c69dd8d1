import * as model from '@parley/model';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type CommonFlags, commonFlags } from '../../flags.ts';
import { table } from '../../table.ts';

async function run(this: Context, _flags: CommonFlags): Promise<void> {
  await using deployment = await this.open();
  const rows = await model.realms.listRealms(deployment.engine.db);
  const realms = rows.map((row) => ({
    id: row.id,
    realm: row.name,
    name: row.displayName,
    url: model.realms.realmAt(row, deployment.site)?.url ?? null,
    is_active: row.isActive,
    people: row.people,
    created_at: row.createdAt.toISOString(),
  }));
  const cells = realms.map((one) => [
    one.realm,
    one.name,
    one.url,
    one.is_active ? 'active' : 'deactivated',
    one.people,
    one.created_at.slice(0, 10),
  ]);
  this.show({ realms }, table(['realm', 'name', 'address', 'state', 'people', 'since'], cells));
}

export const realmListCommand = buildCommand({
  func: run,
  parameters: { flags: commonFlags },
  docs: { brief: 'List the organizations', customUsage: ['', '--json'] },
});
