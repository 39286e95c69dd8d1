import type { Tx } from '@parley/db';
import { type SQL, sql } from 'drizzle-orm';

import { type SweptRealms, isSwept } from '../ids.ts';

/** Where messages are kept too long: a topic, or a direct message conversation. */
export type ExpiredPlace = { topicId: number } | { conversationId: number };

interface Row extends Record<string, unknown> {
  realm_id: number;
  topic_id: number | null;
  conversation_id: number | null;
}

/** How many days an organization keeps messages: -1 for ever. */
const days = sql`coalesce((settings ->> 'message_retention_days')::int, -1)`;
const kept = sql`(select id, ${days} as days from realms)`;

/**
 * Returns the organizations that keep messages for a time. The channels of those on a list are found by an index; Citus takes
 * no other barrier that would keep Postgres from all channels.
 */
async function listKeeping(tx: Tx, realmIds: SweptRealms): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(
    sql`select id from realms where ${isSwept(sql`id`, realmIds)} and ${days} > 0`,
  );
  return rows.map(({ id }) => id);
}

/** How many of the oldest messages of a channel are looked at: they may be in several topics. */
const oldestMax = 1000;

/**
 * Returns places of realms with messages that are older than the retention time of their channel or realm, at most
 * `max` of them. Only the oldest messages are looked at, so what it costs does not grow with the history, and only channels
 * that do not keep all for ever.
 */
export async function listExpiredPlaces(
  tx: Tx,
  { now, realmIds }: { now: Date; realmIds: SweptRealms },
  max: number,
): Promise<{ realmId: number; place: ExpiredPlace }[]> {
  const before = (days: SQL) => sql`${now.toISOString()}::timestamptz - ${days} * interval '1 day'`;
  const keepingForATime = await listKeeping(tx, realmIds);
  const oldest = sql`
    select topic_id, sent_at from messages
    where realm_id = c.realm_id and ${isSwept(sql`realm_id`, realmIds)} and channel_id = c.id order by id limit ${oldestMax}`;
  const ofChannels = sql`
    select c.realm_id, m.topic_id, null::bigint as conversation_id
    from channels c cross join lateral (${oldest}) m
    where ${isSwept(sql`c.realm_id`, realmIds)} and c.message_retention_days > 0
      and m.sent_at < ${before(sql`c.message_retention_days`)}`;
  const ofRealms = sql`
    select c.realm_id, m.topic_id, null
    from channels c join ${kept} k on k.id = c.realm_id cross join lateral (${oldest}) m
    where ${isSwept(sql`c.realm_id`, keepingForATime)} and c.message_retention_days is null and k.days > 0
      and m.sent_at < ${before(sql`k.days`)}
    union
    select d.realm_id, null, d.id
    from conversations d join ${kept} k on k.id = d.realm_id
    cross join lateral (
      select sent_at from messages
      where realm_id = d.realm_id and ${isSwept(sql`realm_id`, keepingForATime)} and conversation_id = d.id order by id limit 1
    ) m
    where ${isSwept(sql`d.realm_id`, keepingForATime)} and d.people is not null and k.days > 0
      and m.sent_at < ${before(sql`k.days`)}`;
  // Of an empty list, Citus asks all servers.
  const places = keepingForATime.length === 0 ? ofChannels : sql`${ofChannels} union ${ofRealms}`;
  const rows = await tx.execute<Row>(sql`
    select realm_id, topic_id, conversation_id from (${places}) places limit ${max}`);
  return rows.map(({ realm_id: realmId, topic_id: topicId, conversation_id: conversationId }) => ({
    realmId,
    place: topicId === null ? { conversationId: conversationId ?? 0 } : { topicId },
  }));
}
