import { type Tx, tables } from '@parley/db';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { eq, sql } from 'drizzle-orm';

import { lockConversations } from '../lock.ts';

/** Records whether a channel is recently active, if that has changed. */
export async function refreshActivity(
  tx: Tx,
  { realmId, channelId, now }: { realmId: number; channelId: number; now: Date },
): Promise<ActionResult> {
  const { channels } = tables;
  const [current] = await tx.select().from(channels).where(eq(channels.id, channelId));
  if (!current) return { events: [] };
  await lockConversations(tx, [current.conversationId]);
  const [changed] = await tx.execute<model.channels.ChannelReference>(sql`
    update channels c set is_recently_active = not is_recently_active
    where id = ${channelId} and is_recently_active <> ${model.channels.recentlyActiveChannelCondition(now)} returning c.id, c.realm_id`);
  const [channel] = await tx.select().from(channels).where(eq(channels.id, channelId));
  if (!changed || !channel) return { events: [] };
  const { membersConversationId } = await model.realms.getRealm(tx, realmId);
  if (membersConversationId === null) throw new Error(`Realm ${realmId} is not founded.`);
  const rules = await model.permissions.getRules(tx, realmId);
  const audience = await model.access.channelAudience(
    tx,
    { id: realmId, membersConversationId },
    channel,
    rules,
  );
  return {
    events: [
      model.channels.channelUpdateEvent(audience, rules, channel, [
        'is_recently_active',
        channel.isRecentlyActive,
      ]),
    ],
  };
}
refreshActivity.actionName = 'channels.refreshActivity' as const;

/** The average week is measured over the messages of this many days. */
const trafficDays = 28;

/**
 * Measures how many messages each channel gets in an average week. Clients learn it when they register; there is no
 * event when it changes. Message ids of a realm are in the order of time, so the first id of the measured days is found by
 * bisection in each realm, and no older message is read.
 */
export async function measureTraffic(tx: Tx, now: Date): Promise<void> {
  const since = new Date(now.getTime() - trafficDays * 86_400_000).toISOString();
  await tx.execute(sql`
    with recursive search (realm_id, low, high) as (
      select realm_id, 0::bigint, message_id + 1 from realm_heads
      union all
      select s.realm_id,
        case when next.is_older then (s.low + s.high) / 2 + 1 else s.low end,
        case when next.is_older then s.high else (s.low + s.high) / 2 end
      from search s left join lateral (
        select sent_at < ${since}::timestamptz as is_older from messages
        where realm_id = s.realm_id and id >= (s.low + s.high) / 2 order by id limit 1
      ) next on true
      where s.low < s.high
    ), counted as (
      select m.channel_id, count(*) as messages
      from search s join messages m on m.realm_id = s.realm_id and m.id >= s.low
      where s.low = s.high and m.channel_id is not null group by m.channel_id
    ), measured as (
      select c.id, ceil(coalesce(n.messages, 0) * 7.0 / greatest(7, least(
        ${trafficDays}, extract(epoch from ${now.toISOString()}::timestamptz - c.created_at) / 86400
      )))::int as traffic
      from channels c left join counted n on n.channel_id = c.id
    )
    update channels c set weekly_traffic = m.traffic from measured m
    where m.id = c.id and c.weekly_traffic is distinct from m.traffic`);
}
