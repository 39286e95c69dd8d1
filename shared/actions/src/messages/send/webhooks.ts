import type { Tx } from '@parley/db';
import { isBot } from '@parley/model';
import type { WebhookTrigger } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import type { ResolvedMentions } from './mentions.ts';
import type { SendPlan } from './plan.ts';

/**
 * Returns the deliveries that a message brings about, which are written with it: one for each outgoing-webhook bot that
 * it mentions or is addressed to. Messages of bots bring about none, so that bots never answer each other without end.
 */
export async function webhooksOf(
  tx: Tx,
  { actor, address }: SendPlan,
  mentions: ResolvedMentions,
): Promise<{ id: number; botId: number; trigger: WebhookTrigger }[]> {
  if (isBot(actor)) return [];
  const trigger = address.people ? 'direct_message' : 'mention';
  const botIds = address.people ? address.webhookBots : mentions.webhookBots;
  if (botIds.length === 0) return [];
  const rows = await tx.execute<{ id: string }>(sql`
    select nextval('webhook_deliveries_id_seq') as id from generate_series(1, ${botIds.length}::int)`);
  return botIds.flatMap((botId, index) => {
    const id = rows[index]?.id;
    return id === undefined ? [] : [{ id: Number(id), botId, trigger }];
  });
}
