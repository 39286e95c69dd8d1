import type { Tx } from '@parley/db';
import { webhookLimits } from '@parley/protocol';
import { type SQL, sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { type SweptRealms, isSwept } from '../ids.ts';

/**
 * A query of the earliest pending delivery of each conversation of a bot, as far as `first` and `next` reach. It steps
 * from conversation to conversation over the index, so that it costs the same however many deliveries wait in each.
 */
const earliest = (first: SQL, next: SQL) => sql`
  with recursive earliest as (
    (select * from webhook_deliveries where failed_at is null and ${first}
      order by bot_id, conversation_id, message_id limit 1)
    union all
    select following.* from earliest cross join lateral (
      select * from webhook_deliveries d where d.failed_at is null and ${next}
        order by d.bot_id, d.conversation_id, d.message_id limit 1
    ) following
  )`;

const isDue = (now: Date) => {
  const at = sql`${now.toISOString()}::timestamptz`;
  return sql`(d.claimed_until is null or d.claimed_until <= ${at}) and (d.retry_at is null or d.retry_at <= ${at})
    and (s.paused_until is null or s.paused_until <= ${at})`;
};

/** The same of some realms. One of several servers does not step over an index: it reads what waits. */
const earliestIn = (realmIds: readonly number[]) => sql`
  with earliest as (
    select distinct on (realm_id, bot_id, conversation_id) * from webhook_deliveries
    where failed_at is null and ${isSwept(sql`realm_id`, realmIds)}
    order by realm_id, bot_id, conversation_id, message_id
  )`;

/**
 * Returns deliveries that are due: the earliest of each conversation, and of one bot no more than may be made at once.
 * When one is made, the next one follows (see nextWebhookDelivery).
 */
export async function listDueWebhookDeliveries(
  tx: Tx,
  { now, realmIds }: { now: Date; realmIds: SweptRealms },
  limit: number,
): Promise<{ id: number; realmId: number }[]> {
  const rows = await tx.execute<{ id: string; realm_id: number }>(sql`
    ${
      realmIds === null
        ? earliest(
            sql`true`,
            sql`(d.bot_id, d.conversation_id) > (earliest.bot_id, earliest.conversation_id)`,
          )
        : earliestIn(realmIds)
    }
    select id, realm_id from (
      select d.id, d.realm_id, row_number() over (partition by d.realm_id, d.bot_id order by d.id) as place
      from earliest d
      join bot_services s on s.realm_id = d.realm_id and s.bot_id = d.bot_id and ${isSwept(sql`s.realm_id`, realmIds)}
      join users u on u.realm_id = d.realm_id and u.id = d.bot_id and u.is_active and ${isSwept(sql`u.realm_id`, realmIds)}
      join realms r on r.id = d.realm_id and r.is_active
      where ${isDue(now)}
    ) due where place <= ${webhookLimits.atOnce} order by id limit ${limit}`);
  return rows.map((row) => ({ id: Number(row.id), realmId: row.realm_id }));
}

/** Returns the id of a delivery to a bot that is due after one about a conversation: conversations take turns. */
export async function nextWebhookDelivery(
  tx: Tx,
  { id: botId, realm: { id: realmId } }: Pick<Actor, 'id' | 'realm'>,
  conversationId: number,
  now: Date,
): Promise<number | undefined> {
  const isAfter = sql`d.realm_id = ${realmId} and d.bot_id = ${botId} and d.conversation_id > earliest.conversation_id`;
  for (const after of [conversationId, 0]) {
    const [row] = await tx.execute<{ id: string }>(sql`
      ${earliest(sql`realm_id = ${realmId} and bot_id = ${botId} and conversation_id > ${after}`, isAfter)}
      select d.id from earliest d
      join bot_services s on s.realm_id = ${realmId} and s.bot_id = d.bot_id
      where d.realm_id = ${realmId} and ${isDue(now)} limit 1`);
    if (row) return Number(row.id);
  }
  return undefined;
}
