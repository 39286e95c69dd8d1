import { type ChannelRow, type MessageRow, type TopicRow, type Tx, tables } from '@parley/db';
import { type Actor, type Realm, actorOf, bigintArray, isAmong, toSeconds } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, type PendingEvent, events, roles, to } from '@parley/protocol';
import { type SQL, and, asc, eq, getTableColumns, getTableName, sql } from 'drizzle-orm';
import type { PgTable } from 'drizzle-orm/pg-core';

import { lockConversations } from '../lock.ts';
import { hasMessagesLeft } from './delete.ts';
import { retentionOf } from './expire.ts';
import { addressInChannel, addressOfPeople } from './send/address.ts';
import { pendingMessage } from './send/pending-message.ts';
import { planNotice } from './send/plan.ts';

const { archivedMessages, attachments, channels, messageAttachments, messageFlags, messages, topics } =
  tables;

/** Which deleted messages are restored: those that were deleted since then, also of a channel alone. */
export interface Restorable {
  since: Date;
  channelId?: number | undefined;
}

export interface Restored extends ActionResult {
  /** The archive's next place; null after the last. */
  next: number | null;
  restored: number;
  /** Messages that are older than the retention time of their place: they would be deleted again. */
  tooOld: number;
}

/**
 * Restores deleted messages of a realm, `max` of those behind a place in the archive, with their reactions, flags, edits,
 * widgets and uploads, at the places that they had. They are read by everyone. Whoever received one and may still read it
 * is sent it again, as a `message` event, and its stars.
 */
export async function restore(
  tx: Tx,
  {
    realm,
    since,
    channelId,
    after,
    max,
    now,
  }: { realm: Realm; after: number; max: number; now: Date } & Restorable,
): Promise<Restored> {
  const rules = await model.permissions.getRules(tx, realm.id);
  const ofChannel = channelId === undefined ? sql`true` : sql`(message ->> 'channel_id')::int = ${channelId}`;
  const found = await tx.execute<{ id: number }>(sql`
    select id from archived_messages
    where realm_id = ${realm.id} and id > ${after} and deleted_at >= ${since.toISOString()}::timestamptz and ${ofChannel}
    order by id limit ${max}`);
  const next = found.length < max ? null : (found.at(-1)?.id ?? null);
  const ids = found.map(({ id }) => id);
  const rows = await insertMessages(tx, realm.id, { rules, ids, now });
  const pending: PendingEvent[] = [];
  let changesRules = false;
  const restoredIds = rows.map(({ message }) => message.id);
  const places = new Map(rows.map((row) => [row.channel?.id ?? 0, row]));
  for (const { channel, hadMessages } of places.values()) {
    if (!channel) continue;
    pending.push(await model.channels.refreshedFirstMessageIdEvent(tx, realm, channel, rules));
    changesRules ||= !hadMessages;
  }
  const untold: number[] = [];
  for (const row of rows) {
    const again = await eventsOf(tx, realm, row, rules);
    pending.push(...again);
    if (again.length === 0) untold.push(row.message.id);
  }
  await haveFilledAgain(tx, realm.id, untold);
  pending.push(
    ...(await starEvents(tx, realm.id, restoredIds)),
    ...(await attachmentEvents(tx, realm.id, restoredIds)),
  );
  return { events: pending, changesRules, next, restored: rows.length, tooOld: ids.length - rows.length };
}
restore.actionName = 'messages.restore' as const;

interface RestoredRow {
  message: MessageRow;
  channel: ChannelRow | null;
  topic: TopicRow | null;
  people: number[] | null;
  /** Whether the channel had a message before. */
  hadMessages: boolean;
}

/** Takes messages out of the archive and puts them where they were. Those that are too old stay. */
async function insertMessages(
  tx: Tx,
  realmId: number,
  { rules, ids, now }: { rules: model.permissions.Rules; ids: number[]; now: Date },
): Promise<RestoredRow[]> {
  if (ids.length === 0) return [];
  const archived = sql`jsonb_populate_record(null::messages, a.message)`;
  const located = await tx.execute<{ conversation: number }>(sql`
    select distinct coalesce(c.conversation_id, (${archived}).conversation_id) as conversation
    from archived_messages a left join channels c on c.realm_id = a.realm_id and c.id = (${archived}).channel_id
    where a.realm_id = ${realmId} and a.id = any(${bigintArray(ids)})`);
  await lockConversations(
    tx,
    { id: realmId },
    located.map(({ conversation }) => conversation),
  );
  const kept: RestoredRow[] = [];
  const rows = await tx
    .select()
    .from(archivedMessages)
    .where(and(eq(archivedMessages.realmId, realmId), isAmong(archivedMessages.id, ids)))
    .orderBy(asc(archivedMessages.id))
    .for('update');
  for (const { id } of rows) {
    const place = await findPlace(tx, realmId, id);
    const days = retentionOf(place.channel, rules);
    const isTooOld = days > 0 && place.sentAt.getTime() < now.getTime() - days * 86_400_000;
    if (isTooOld) continue;
    const hadMessages = await hasMessagesLeft(tx, {
      channel: place.channel && { channel: place.channel, isSubscribed: false },
    });
    await insertOne(tx, realmId, id);
    const isMessage = and(eq(messages.realmId, realmId), eq(messages.id, id));
    const [message] = await tx.select().from(messages).where(isMessage);
    if (message) kept.push({ ...place, message, hadMessages });
  }
  await noteRestored(
    tx,
    realmId,
    kept.map(({ message }) => message.id),
  );
  return kept;
}

/** Has what is restored counted again, as triggers have what is deleted. */
async function noteRestored(tx: Tx, realmId: number, ids: number[]): Promise<void> {
  await tx.execute(sql`
    insert into changed_message_blocks (realm_id, block)
    select distinct ${realmId}::int, id >> 12 from unnest(${bigintArray(ids)}) restored (id)`);
}

/** Has a search engine filled anew with what is restored and no entry tells of, and with what is older. */
async function haveFilledAgain(tx: Tx, realmId: number, ids: number[]): Promise<void> {
  if (ids.length === 0) return;
  await tx.execute(sql`
    update search_engine_cursors set filled_from = greatest(filled_from, ${Math.max(...ids) + 1}::bigint) where realm_id = ${realmId}`);
}

async function findPlace(tx: Tx, realmId: number, id: number) {
  const [row] = await tx.execute<{
    channel: number | null;
    topic: number | null;
    people: number[] | null;
    sent: number;
  }>(sql`
    select m.channel_id as channel, m.topic_id as topic, c.people, extract(epoch from m.sent_at)::float8 as sent
    from archived_messages a cross join lateral jsonb_populate_record(null::messages, a.message) m
    join conversations c on c.realm_id = a.realm_id and c.id = m.conversation_id where a.realm_id = ${realmId} and a.id = ${id}`);
  const [channel = null] = row?.channel
    ? await tx
        .select()
        .from(channels)
        .where(and(eq(channels.realmId, realmId), eq(channels.id, row.channel)))
    : [];
  const [topic = null] = row?.topic
    ? await tx
        .select()
        .from(topics)
        .where(and(eq(topics.realmId, realmId), eq(topics.id, row.topic)))
    : [];
  return {
    channel,
    topic,
    people: channel ? null : (row?.people ?? null),
    sentAt: new Date((row?.sent ?? 0) * 1000),
  };
}

/** Tables of what belongs to messages, each with what must still be there for one of its rows. */
const belongings: readonly { table: PgTable; condition?: string }[] = [
  { table: tables.reactions },
  { table: tables.messageFlags },
  { table: tables.messageEdits },
  { table: tables.submessages },
  {
    table: tables.messageAttachments,
    condition: 'exists (select from attachments t where t.realm_id = a.realm_id and t.id = r.attachment_id)',
  },
];

/**
 * Returns the columns of a table, and what stands in them: what a row `r` has that was made of an archived message `a`, whose
 * realm is that of the row.
 */
function columnsOf(table: PgTable): { names: SQL; values: SQL } {
  const names = Object.values(getTableColumns(table)).map(({ name }) => name);
  const values = names.map((name) => (name === 'realm_id' ? 'a.realm_id' : `r."${name}"`));
  return { names: sql.raw(names.map((name) => `"${name}"`).join(', ')), values: sql.raw(values.join(', ')) };
}

/** Moves a message out of the archive. It begins anew as read by everyone, and waits for no previews. */
async function insertOne(tx: Tx, realmId: number, id: number): Promise<void> {
  const { names, values } = columnsOf(messages);
  await tx.execute(sql`
    insert into messages (${names})
    select ${values} from archived_messages a cross join lateral jsonb_populate_record(
      null::messages, a.message || '{"unread_for": [], "previews_due_at": null}'::jsonb
    ) r
    where a.realm_id = ${realmId} and a.id = ${id}`);
  for (const { table, condition = 'true' } of belongings) {
    const name = getTableName(table);
    const columns = columnsOf(table);
    await tx.execute(sql`
      insert into ${sql.raw(name)} (${columns.names}) overriding system value
      select ${columns.values} from archived_messages a
      cross join lateral jsonb_populate_recordset(null::${sql.raw(name)}, coalesce(a.belongings -> ${name}, '[]')) r
      where a.realm_id = ${realmId} and a.id = ${id} and ${sql.raw(condition)} on conflict do nothing`);
  }
  await tx
    .delete(archivedMessages)
    .where(and(eq(archivedMessages.realmId, realmId), eq(archivedMessages.id, id)));
}

/** Sends a message again to whoever received it and may still read it. */
async function eventsOf(
  tx: Tx,
  realm: Realm,
  { message, channel, topic, people }: RestoredRow,
  rules: model.permissions.Rules,
): Promise<PendingEvent[]> {
  const [sender] = await model.users.listUsers(tx, realm.id, [message.senderId]);
  if (!sender) return [];
  const actor = actorOf(sender, realm);
  const readers = await listReaders(tx, message, channel);
  const hidden = new Set(channel ? await model.access.guestsWithoutAccess(tx, realm.id, sender, rules) : []);
  const event = await messageEvent(tx, { message, channel, topic, people }, actor, rules);
  const seeing = readers.filter((reader) => !hidden.has(reader));
  const others = readers.filter((reader) => hidden.has(reader));
  const anonymous = {
    ...event,
    is_gravatar: false,
    message: { ...event.message, ...model.users.unknownSenderFields(actor.id, realm.emailDomain) },
  };
  return [
    ...(seeing.length > 0 ? [to.users(seeing, event)] : []),
    ...(others.length > 0 ? [to.users(others, anonymous)] : []),
  ];
}

type MessageEvent = ReturnType<typeof events.message>;

async function messageEvent(
  tx: Tx,
  { message, channel, topic, people }: Omit<RestoredRow, 'hadMessages'>,
  actor: Actor,
  rules: model.permissions.Rules,
): Promise<MessageEvent> {
  const { realm } = actor;
  const address = channel
    ? await addressInChannel(tx, realm, channel, topic?.name ?? '', rules)
    : await addressOfPeople(tx, actor, await model.users.listUsers(tx, realm.id, people ?? []));
  const plan = await planNotice(tx, rules, actor, address);
  const { content, client, id, renderedContent: html } = message;
  const mentions = { users: [], groups: [], forbiddenGroups: [], channel: false, topic: false };
  const has = { hasLink: false, hasImage: false, hasAttachment: false };
  const rendered = { html, text: '', mentions, uploads: [], pages: [], ...has };
  const text = { content, client, readBySender: false, echo: null };
  // Safe: pendingMessage returns events of messages.
  const { event } = pendingMessage(plan, text, rendered) as { event: MessageEvent };
  const { reactions, submessages, flags } = await readBelongings(tx, realm.id, id);
  return {
    ...event,
    message: { ...event.message, id, timestamp: toSeconds(message.sentAt), reactions, submessages },
    flags,
    unread_for: [],
    ...(message.mentionsChannel && { mentions_channel: true }),
  };
}

async function readBelongings(tx: Tx, realmId: number, id: number) {
  const reactions = (await model.reactions.listReactions(tx, realmId, [id])).get(id) ?? [];
  const submessages = (await model.submessages.listSubmessages(tx, realmId, [id])).get(id) ?? [];
  const flags: Record<string, number[]> = {};
  const ofMessage = and(eq(messageFlags.realmId, realmId), eq(messageFlags.messageId, id));
  for (const row of await tx.select().from(messageFlags).where(ofMessage)) {
    const set = {
      starred: row.starred,
      collapsed: row.collapsed,
      mentioned: row.mentioned,
      topic_wildcard_mentioned: row.topicWildcardMentioned,
      has_alert_word: row.hasAlertWord,
    };
    for (const [name, isSet] of Object.entries(set)) if (isSet) (flags[name] ??= []).push(row.userId);
  }
  return { reactions, submessages, flags };
}

/** Active users who received a message and may read it where it is. */
async function listReaders(tx: Tx, message: MessageRow, channel: ChannelRow | null): Promise<number[]> {
  const { realmId, conversationId, ordinal } = message;
  const mayRead = !channel
    ? sql`true`
    : sql`(exists (
        select from conversation_members s
        where s.realm_id = ${realmId} and s.conversation_id = ${channel.conversationId} and s.user_id = u.id and s.is_subscribed
      ) or (${!channel.isPrivate} and (u.role < ${roles.guest} or ${channel.isWebPublic})))`;
  const rows = await tx.execute<{ id: number }>(sql`
    select u.id from conversation_members c join users u on u.realm_id = c.realm_id and u.id = c.user_id and u.is_active
    where c.realm_id = ${realmId} and c.conversation_id = ${conversationId} and c.received @> ${ordinal}::bigint and ${mayRead} order by u.id`);
  return rows.map(({ id }) => id);
}

/** Tells everyone of their stars on messages that were restored. */
async function starEvents(tx: Tx, realmId: number, ids: number[]): Promise<PendingEvent[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .select({ userId: messageFlags.userId, messageId: messageFlags.messageId })
    .from(messageFlags)
    .where(and(eq(messageFlags.realmId, realmId), isAmong(messageFlags.messageId, ids), messageFlags.starred))
    .orderBy(asc(messageFlags.messageId));
  const byUser = new Map<number, number[]>();
  for (const { userId, messageId } of rows) {
    byUser.set(userId, [...(byUser.get(userId) ?? []), messageId]);
  }
  return [...byUser].map(([id, list]) => {
    const fields = { operation: 'add', flag: 'starred', messages: list, all: false } as const;
    return to.user({ id }, events.updateMessageFlags.add(fields));
  });
}

/** Tells the owners of uploads which messages refer to them again. */
async function attachmentEvents(tx: Tx, realmId: number, ids: number[]): Promise<PendingEvent[]> {
  if (ids.length === 0) return [];
  const rows = await tx
    .selectDistinct(getTableColumns(attachments))
    .from(attachments)
    .innerJoin(messageAttachments, eq(messageAttachments.attachmentId, attachments.id))
    .where(
      and(
        eq(attachments.realmId, realmId),
        eq(messageAttachments.realmId, realmId),
        isAmong(messageAttachments.messageId, ids),
      ),
    )
    .orderBy(asc(attachments.id));
  return rows.map((row) => model.attachments.attachmentEvent('update', row));
}
