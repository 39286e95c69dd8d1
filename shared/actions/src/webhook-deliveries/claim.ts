import { type Tx, tables } from '@parley/db';
import type * as model from '@parley/model';
import { type ActionResult, webhookLimits, webhookTimes } from '@parley/protocol';
import { type SQL, and, eq, sql } from 'drizzle-orm';

/** An attempt to make a delivery. Whatever ends it names it, so that of two workers only one can. */
export interface Attempt extends Pick<model.webhookDeliveries.WebhookDelivery, 'id' | 'bot'> {
  /** How many there have been, with this one. */
  attempt: number;
}

/**
 * Begins an attempt to make a delivery, unless it is not due, a worker is at it, an earlier message of the conversation
 * is still to be delivered to the bot, its service is left alone, or enough requests are under way. Null then.
 */
export async function claim(
  tx: Tx,
  {
    delivery: { id, bot },
    nowMs,
  }: { delivery: Pick<model.webhookDeliveries.WebhookDelivery, 'id' | 'bot'>; nowMs: number },
): Promise<ActionResult & { attempt: Attempt | null }> {
  const nothing = { events: [], attempt: null };
  const { botServices } = tables;
  // Whoever claims one of a bot's deliveries counts those that are under way, so they take turns.
  const [service] = await tx
    .select()
    .from(botServices)
    .where(and(eq(botServices.realmId, bot.realm.id), eq(botServices.botId, bot.id)))
    .for('no key update');
  const now = new Date(nowMs);
  if (!service || (service.pausedUntil !== null && service.pausedUntil > now)) return nothing;
  const mayBeTried = service.failures < webhookLimits.failuresInARow;
  const at = sql`${now.toISOString()}::timestamptz`;
  const [claimed] = await tx.execute<{ attempts: number }>(sql`
    update webhook_deliveries d
    set attempts = d.attempts + 1, claimed_until = ${at} + ${webhookTimes.claimMs} * interval '1 millisecond'
    where d.realm_id = ${bot.realm.id} and d.id = ${id} and d.failed_at is null
      and (d.claimed_until is null or d.claimed_until <= ${at}) and (d.retry_at is null or d.retry_at <= ${at})
      and not exists (
        select from webhook_deliveries e
        where e.realm_id = ${bot.realm.id} and e.bot_id = d.bot_id and e.conversation_id = d.conversation_id and e.failed_at is null
          and e.message_id < d.message_id
      )
      and ${underWay(bot.realm.id, sql`o.bot_id = d.bot_id`, at)} < ${mayBeTried ? webhookLimits.atOnce : 1}
      and ${underWay(bot.realm.id, sql`true`, at)} < ${webhookLimits.atOncePerRealm}
    returning attempts`);
  return claimed ? { ...nothing, attempt: { id, bot, attempt: claimed.attempts } } : nothing;
}
claim.actionName = 'webhookDeliveries.claim' as const;

const underWay = (realmId: number, which: SQL, at: SQL) => sql`(
  select count(*) from webhook_deliveries o
  where o.realm_id = ${realmId} and ${which} and o.claimed_until is not null and o.claimed_until > ${at}
)`;
