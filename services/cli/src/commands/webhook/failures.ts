import * as model from '@parley/model';
import { buildCommand } from '@stricli/core';

import type { Context } from '../../context.ts';
import { type RealmFlags, countFlag, realmFlags } from '../../flags.ts';
import { table } from '../../table.ts';

interface Flags extends RealmFlags {
  limit: number;
}

async function run(this: Context, { realm, limit }: Flags): Promise<void> {
  await using deployment = await this.open();
  const home = await deployment.getRealm(realm);
  const failures = await model.webhookDeliveries.listWebhookFailures(
    deployment.engine.db,
    model.realms.operatorOf(home),
    { limit },
  );
  const rows = failures.map((one) => [
    one.id,
    one.bot_id,
    one.message_id,
    one.trigger,
    one.attempts,
    new Date(one.failed_at * 1000).toISOString(),
    one.failure.slice(0, 100),
  ]);
  this.show({ failures }, table(['id', 'bot', 'message', 'trigger', 'attempts', 'failed', 'reason'], rows));
}

export const webhookFailuresCommand = buildCommand({
  func: run,
  parameters: {
    flags: { ...realmFlags, limit: countFlag('50', 'How many to show, newest first') },
  },
  docs: {
    brief: 'List messages that could not be delivered to the services of bots',
    customUsage: ['--realm acme', '--json'],
  },
});
