import type { Tx } from '@parley/db';
import { sql } from 'drizzle-orm';

/** Where messages are kept too long: a topic, or a direct message conversation. */
export type ExpiredPlace = { topicId: number } | { conversationId: number };

interface Row extends Record<string, unknown> {
  realm_id: number;
  topic_id: number | null;
  conversation_id: number | null;
}

/** How many of the oldest messages of a channel are looked at: they may be in several topics. */
const oldestMax = 1000;

/**
 * Returns places of all realms with messages that are older than the retention time of their channel or realm, at most
 * `max` of them. Only the oldest messages are looked at, so what it costs does not grow with the history.
 */
export async function listExpiredPlaces(
  tx: Tx,
  now: Date,
  max: number,
): Promise<{ realmId: number; place: ExpiredPlace }[]> {
  const rows = await tx.execute<Row>(sql`
    with kept as (
      select id, coalesce((settings ->> 'message_retention_days')::int, -1) as days from realms
    ), places as (
      select k.id as realm_id, m.topic_id, null::bigint as conversation_id
      from kept k join channels c on c.realm_id = k.id
      cross join lateral (
        select topic_id, sent_at from messages where realm_id = k.id and channel_id = c.id order by id limit ${oldestMax}
      ) m
      where coalesce(c.message_retention_days, k.days) > 0
        and m.sent_at < ${now.toISOString()}::timestamptz - coalesce(c.message_retention_days, k.days) * interval '1 day'
      union
      select k.id, null, d.id
      from kept k join conversations d on d.realm_id = k.id and d.people is not null
      cross join lateral (
        select sent_at from messages where realm_id = k.id and conversation_id = d.id order by id limit 1
      ) m
      where k.days > 0 and m.sent_at < ${now.toISOString()}::timestamptz - k.days * interval '1 day'
    )
    select realm_id, topic_id, conversation_id from places limit ${max}`);
  return rows.map(({ realm_id: realmId, topic_id: topicId, conversation_id: conversationId }) => ({
    realmId,
    place: topicId === null ? { conversationId: conversationId ?? 0 } : { topicId },
  }));
}
