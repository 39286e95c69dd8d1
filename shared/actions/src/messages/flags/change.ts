import type { Tx } from '@parley/db';
import { type Actor, bigintArray } from '@parley/model';
import * as model from '@parley/model';
import {
  type ActionResult,
  type PendingEvent,
  to,
  events,
  type UnreadDetail,
  ApiError,
} from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { withOthers } from '../../action.ts';
import {
  gatherChannel,
  gatherFlags,
  gatherFlagsInNarrow,
  gatherTopic,
  inPlace,
  listUnread,
} from './gather.ts';
import type { FlagChange, FlagChangeResult, NarrowPage, NarrowRange, ReadPlace } from './request.ts';

/**
 * Sets or clears one of the actor's flags on messages. The event lists the messages that changed.
 *
 * @throws BAD_REQUEST for a message that the actor may not read, when it is to be starred or collapsed
 */
export async function changeFlags(
  tx: Tx,
  { actor, change }: { actor: Actor; change: FlagChange },
): Promise<FlagChangeResult> {
  if (change.flag !== 'read') return await changeSparseFlag(tx, actor, change.flag, change);
  return change.op === 'add'
    ? await markRead(tx, actor, change.ids)
    : await markUnread(tx, actor, change.ids);
}
changeFlags.actionName = 'messages.changeFlags' as const;
changeFlags.gather = withOthers(gatherFlags);

/**
 * Sets or clears one of the actor's flags on the messages around an anchor that match a narrow.
 *
 * @throws BAD_REQUEST for a message that the actor may not read, when it is to be starred or collapsed
 * @throws BAD_NARROW for a narrow that names something that does not exist
 */
export async function changeFlagsInNarrow(
  tx: Tx,
  { actor, change, range }: { actor: Actor; change: Omit<FlagChange, 'ids'>; range: NarrowRange },
): Promise<FlagChangeResult & { page: NarrowPage }> {
  const page = await model.messages.fetchMessageIds(tx, actor, range);
  return { ...(await changeFlags(tx, { actor, change: { ...change, ids: page.ids } })), page };
}
changeFlagsInNarrow.actionName = 'messages.changeFlagsInNarrow' as const;
changeFlagsInNarrow.gather = withOthers(gatherFlagsInNarrow);

/** The user whose flags change: the actor, or somebody whom an action unsubscribes from a channel. */
type Reader = Pick<Actor, 'id' | 'realm'>;

function eventsOf(
  actor: Reader,
  op: 'add' | 'remove',
  flag: FlagChange['flag'],
  changed: number[],
): PendingEvent[] {
  if (changed.length === 0) return [];
  const fields = { operation: op, flag, messages: changed, all: false };
  return [to.user(actor, events.updateMessageFlags[op](fields))];
}

/** Locks the user's member rows of the conversations that the messages were sent to. */
async function lockMembers(tx: Tx, actor: Reader, ids: number[]): Promise<void> {
  await tx.execute(sql`
    select from conversation_members c
    where c.realm_id = ${actor.realm.id} and c.user_id = ${actor.id} and c.conversation_id in (
      select conversation_id from messages where realm_id = ${actor.realm.id} and id = any(${bigintArray(ids)})
    )
    order by c.conversation_id for update`);
}

/** Marks as read those of the messages that are unread. One row is written per conversation. */
async function markRead(tx: Tx, actor: Reader, ids: number[]): Promise<FlagChangeResult> {
  await lockMembers(tx, actor, ids);
  const rows = await tx.execute<{ id: number }>(sql`
    with marked as (
      select m.id, m.conversation_id, m.ordinal from messages m
      join conversation_members c on c.realm_id = m.realm_id and c.conversation_id = m.conversation_id and c.user_id = ${actor.id}
      where m.realm_id = ${actor.realm.id} and m.id = any(${bigintArray(ids)}) and ${model.messages.messageUnreadCondition(actor)}
    ), spans as (
      select conversation_id, min(ordinal) as low, max(ordinal) as high,
        range_agg(int8range(ordinal, ordinal + 1)) as ranges
      from marked group by conversation_id
    ), written as (
      update conversation_members c
      set read = c.read + s.ranges + coalesce((
        -- Messages between that arrived as read join the ranges, which would be split around them otherwise.
        select range_agg(int8range(m.ordinal, m.ordinal + 1)) from messages m
        where s.high - s.low < ${joinedSpanMax} and m.realm_id = ${actor.realm.id}
          and m.conversation_id = s.conversation_id and m.ordinal between s.low - 1 and s.high + 1 and m.read_by @> array[${actor.id}::int]
      ), '{}')
      from spans s
      where c.realm_id = ${actor.realm.id} and c.conversation_id = s.conversation_id and c.user_id = ${actor.id}
    )
    select id from marked order by id`);
  const changed = rows.map(({ id }) => id);
  return { events: eventsOf(actor, 'add', 'read', changed), changed, ignoredChannels: [] };
}

/** If the marked messages of a conversation span more ordinals than this, their ranges are left split. */
const joinedSpanMax = 10_000;

interface UnreadRow extends Record<string, unknown> {
  id: number;
  channel_id: number | null;
  topic: string | null;
  people: number[] | null;
  mentioned: boolean;
  is_muted: boolean;
  is_archived: boolean;
}

async function markUnread(tx: Tx, actor: Actor, ids: number[]): Promise<FlagChangeResult> {
  await lockMembers(tx, actor, ids);
  const ignored = await tx.execute<{ id: number }>(sql`
    select distinct m.channel_id as id from messages m ${model.access.joinMessageReader(actor)}
    where m.realm_id = ${actor.realm.id} and m.id = any(${bigintArray(ids)}) and m.channel_id is not null
      and k.is_subscribed is not true
      and ${await model.access.readableMessageCondition(tx, actor, true)} order by 1`);
  const rows = await tx.execute<UnreadRow>(sql`
    with marked as (
      select m.id, m.conversation_id, m.ordinal, m.channel_id, t.name as topic, d.people, ${model.messages.messageMutedCondition} as is_muted,
        coalesce(h.is_archived, false) as is_archived,
        m.mentions_channel or coalesce(f.mentioned or f.topic_wildcard_mentioned, false) as mentioned
      from messages m
      join conversation_members c on c.realm_id = m.realm_id and c.conversation_id = m.conversation_id and c.user_id = ${actor.id}
      left join topics t on t.realm_id = m.realm_id and t.id = m.topic_id
      left join conversations d on d.realm_id = m.realm_id and d.id = m.conversation_id and m.channel_id is null
      left join message_flags f on f.realm_id = m.realm_id and f.message_id = m.id and f.user_id = ${actor.id}
      ${model.messages.joinMessageMutes(actor)}
      where m.realm_id = ${actor.realm.id} and m.id = any(${bigintArray(ids)})
        and (m.channel_id is null or k.is_subscribed)
        and m.ordinal <@ c.received and not ${model.messages.messageUnreadCondition(actor)}
    ), written as (
      update conversation_members c set read = c.read - s.ranges
      from (
        select conversation_id, range_agg(int8range(ordinal, ordinal + 1)) as ranges from marked group by 1
      ) s
      where c.realm_id = ${actor.realm.id} and c.conversation_id = s.conversation_id and c.user_id = ${actor.id}
    ), came_read as (
      update messages m
      set read_by = array_remove(m.read_by, ${actor.id}::int),
          -- Null means "unread for everyone", and stays.
          unread_for = array_remove(m.unread_for, ${actor.id}::int)
            || case when m.unread_for is not null then array[${actor.id}::int] end
      from (
        select id from messages where realm_id = ${actor.realm.id} and id in (select id from marked)
          and (read_by @> array[${actor.id}::int] or unread_for is not null)
        order by id for no key update
      ) locked
      where m.realm_id = ${actor.realm.id} and m.id = locked.id
    )
    select * from marked order by id`);
  if (rows.length === 0) {
    return { events: [], changed: [], ignoredChannels: ignored.map(({ id }) => id) };
  }
  const changed = rows.map(({ id }) => id);
  const archived = rows.filter(({ is_archived }) => is_archived).map(({ id }) => id);
  const fields = {
    operation: 'remove' as const,
    flag: 'read',
    messages: changed,
    all: false,
    message_details: Object.fromEntries(rows.map((row) => [String(row.id), detailOf(actor, row)])),
    ...(archived.length > 0 && { archived }),
  };
  return {
    events: [to.user(actor, events.updateMessageFlags.remove(fields))],

    changed,
    ignoredChannels: ignored.map(({ id }) => id),
  };
}

function detailOf(actor: Actor, row: UnreadRow): UnreadDetail {
  const mentioned = row.mentioned && { mentioned: true as const };
  if (row.channel_id === null) {
    return { type: 'private', ...mentioned, user_ids: (row.people ?? []).filter((id) => id !== actor.id) };
  }
  return {
    type: 'stream',
    ...mentioned,
    stream_id: row.channel_id,
    topic: row.topic ?? '',
    unmuted_stream_msg: !row.is_muted,
  };
}

/** Changes a flag that is stored as a row per message, also for messages that the actor never received. */
async function changeSparseFlag(
  tx: Tx,
  actor: Actor,
  flag: 'starred' | 'collapsed',
  { ids, op }: FlagChange,
): Promise<FlagChangeResult> {
  const column = sql.raw(flag);
  if (op === 'remove') {
    const rows = await tx.execute<{ id: number }>(sql`
      with changed as (
        update message_flags set ${column} = false
        where realm_id = ${actor.realm.id} and user_id = ${actor.id} and message_id = any(${bigintArray(ids)}) and ${column}
        returning message_id as id
      )
      select id from changed order by id`);
    const changed = rows.map(({ id }) => id);
    return { events: eventsOf(actor, op, flag, changed), changed, ignoredChannels: [] };
  }
  const readable = await tx.execute<{ id: number }>(sql`
    select m.id from messages m ${model.access.joinMessageReader(actor)}
    where m.realm_id = ${actor.realm.id} and m.id = any(${bigintArray(ids)})
      and ${await model.access.readableMessageCondition(tx, actor, true)}
    order by m.id for share of m`);
  if (readable.length < new Set(ids).size)
    throw new ApiError('BAD_REQUEST', 'These messages do not exist, or you do not have access to them.');
  const rows = await tx.execute<{ id: number }>(sql`
    with changed as (
      insert into message_flags (realm_id, user_id, message_id, ${column})
      select ${actor.realm.id}::int, ${actor.id}::int, id, true from unnest(${bigintArray(ids)}) id group by id order by id
      on conflict (realm_id, user_id, message_id) do update set ${column} = true where not message_flags.${column}
      returning message_id as id
    )
    select id from changed order by id`);
  const changed = rows.map(({ id }) => id);
  return { events: eventsOf(actor, op, flag, changed), changed, ignoredChannels: [] };
}

/**
 * Marks all messages of a channel as read.
 *
 * @throws BAD_REQUEST for a channel that the actor may not read
 */
export async function markChannelRead(
  tx: Tx,
  { actor, channelId }: { actor: Actor; channelId: number },
): Promise<FlagChangeResult> {
  const { channel } = await model.access.getReadableChannel(tx, actor, channelId);
  return await markPlaceRead(tx, actor, { channelId: channel.id });
}
markChannelRead.actionName = 'messages.markChannelRead' as const;
markChannelRead.gather = withOthers(gatherChannel);

/**
 * Marks all messages of a topic as read.
 *
 * @throws BAD_REQUEST for a channel that the actor may not read, or a topic that it does not have
 */
export async function markTopicRead(
  tx: Tx,
  { actor, channelId, topic: name }: { actor: Actor; channelId: number; topic: string },
): Promise<FlagChangeResult> {
  const topic = await model.topics.getReadableTopic(tx, actor, channelId, name);
  return await markPlaceRead(tx, actor, { channelId: topic.channelId, topicId: topic.id });
}
markTopicRead.actionName = 'messages.markTopicRead' as const;
markTopicRead.gather = withOthers(gatherTopic);

/** Marks all messages of the actor as read: one row is written per conversation with something unread. */
export async function markAllRead(tx: Tx, { actor }: { actor: Actor }): Promise<ActionResult> {
  await tx.execute(sql`
    select from conversation_members where realm_id = ${actor.realm.id} and user_id = ${actor.id}
    order by conversation_id for update`);
  await tx.execute(sql`
    update conversation_members c
    set read = c.read + c.received * int8multirange(int8range(1, h.ordinal + 1))
    from conversation_heads h
    where c.realm_id = ${actor.realm.id} and c.user_id = ${actor.id}
      and h.realm_id = c.realm_id and h.conversation_id = c.conversation_id
      and not c.read @> c.received * int8multirange(int8range(1, h.ordinal + 1))`);
  const event = events.updateMessageFlags.add({ operation: 'add', flag: 'read', messages: [], all: true });
  return { events: [{ ...to.user(actor, event), readsAll: actor.id }] };
}
markAllRead.actionName = 'messages.markAllRead' as const;

/** Marks as read all unread messages of a channel, or of one topic of it. The event lists them. */
export const markPlaceRead = async (tx: Tx, actor: Reader, place: ReadPlace): Promise<FlagChangeResult> =>
  await markRead(tx, actor, await listUnread(tx, actor, inPlace(place)));

/** Marks as read all unread messages that a user has sent to the reader. */
export const markSenderRead = async (tx: Tx, actor: Reader, senderId: number): Promise<FlagChangeResult> =>
  await markRead(tx, actor, await listUnread(tx, actor, sql`m.sender_id = ${senderId}`));
