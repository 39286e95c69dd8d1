import { type ChannelRow, type Tx, tables } from '@parley/db';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { lockConversations } from '../lock.ts';
import { type Place, hasMessagesLeft, removeMessages } from './delete.ts';

const nothing: ActionResult = { events: [] };

/** Who deletes what is too old: nobody. */
const byNobody = (realm: Realm) => ({ id: 0, realm });

/**
 * Deletes the oldest messages of a place that are older than its retention time, at most `max` of them, and archives
 * them like any that are deleted. Running it again changes nothing.
 */
export async function expire(
  tx: Tx,
  { realm, place, now, max }: { realm: Realm; place: model.messages.ExpiredPlace; now: Date; max: number },
): Promise<ActionResult> {
  const rules = await model.permissions.getRules(tx, realm.id);
  const locked =
    'topicId' in place
      ? await lockTopic(tx, realm, place.topicId)
      : await lockDirect(tx, realm, place.conversationId);
  if (!locked) return nothing;
  const days = retentionOf(locked.channel?.channel ?? null, rules);
  if (days <= 0) return nothing;
  const isIn =
    'topicId' in place
      ? sql`topic_id = ${place.topicId}`
      : sql`conversation_id = ${place.conversationId} and channel_id is null`;
  const rows = await tx.execute<{ id: number }>(sql`
    select id from (select id, sent_at from messages where realm_id = ${realm.id} and ${isIn} order by id limit ${max}) oldest
    where sent_at < ${now.toISOString()}::timestamptz - ${days} * interval '1 day' order by id`);
  if (rows.length === 0) return nothing;
  const ids = rows.map(({ id }) => id);
  const events = await removeMessages(tx, byNobody(realm), locked, ids, { rules, also: [] });
  return { events, changesRules: !(await hasMessagesLeft(tx, locked)) };
}
expire.actionName = 'messages.expire' as const;

/** Returns for how many days messages of a channel, or direct ones, are kept; not above 0 if for ever. */
export const retentionOf = (channel: ChannelRow | null, { settings }: model.permissions.Rules): number =>
  channel?.messageRetentionDays ?? settings.message_retention_days;

async function lockTopic(tx: Tx, { id: realmId }: Realm, topicId: number): Promise<Place | undefined> {
  const { channels, topics } = tables;
  const isMeant = and(eq(topics.realmId, realmId), eq(topics.id, topicId));
  const [found] = await tx.select().from(topics).where(isMeant);
  if (!found) return undefined;
  const isItsChannel = and(eq(channels.realmId, realmId), eq(channels.id, found.channelId));
  const read = async () => (await tx.select().from(channels).where(isItsChannel))[0];
  const before = await read();
  if (!before) return undefined;
  await lockConversations(tx, { id: realmId }, [before.conversationId]);
  // Whoever held the lock may have renamed the topic, or changed how long messages are kept.
  const [topic] = await tx.select().from(topics).where(isMeant);
  const channel = await read();
  return topic && channel && { channel: { channel, isSubscribed: false }, topic, people: null };
}

async function lockDirect(
  tx: Tx,
  { id: realmId }: Realm,
  conversationId: number,
): Promise<Place | undefined> {
  const { conversations } = tables;
  await lockConversations(tx, { id: realmId }, [conversationId]);
  const isMeant = and(eq(conversations.realmId, realmId), eq(conversations.id, conversationId));
  const [direct] = await tx.select().from(conversations).where(isMeant);
  return direct?.people ? { channel: null, topic: null, people: direct.people } : undefined;
}
