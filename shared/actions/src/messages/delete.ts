import { type Tx, tables, type TopicRow } from '@parley/db';
import { type Actor, isAdministrator, bigintArray, isAmong } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, type PendingEvent, events, type Audience } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { releaseReferences } from '../attachments/index.ts';
import { lockConversations } from '../lock.ts';
import { setPolicies } from '../user-topics/index.ts';
import { lockMessage, getDatabaseTime, lockMessages } from './lock.ts';

const { messages, userTopics } = tables;

/**
 * Deletes one message, and archives it for a time in which it can be restored.
 *
 * @throws BAD_REQUEST for a message that the actor may not read, delete, or delete any more; for one in an archived
 * channel; and for one that is deleted meanwhile
 * @throws SERVER_NOT_READY when the message is moved again and again
 */
export async function deleteOne(tx: Tx, { actor, id }: { actor: Actor; id: number }): Promise<ActionResult> {
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  await model.access.getMessage(tx, actor, id, { rules });
  const access = await lockMessage(tx, actor, id, { rules }).catch(async (error: unknown) => {
    const isGone = error instanceof ApiError && !(await exists(tx, actor.realm.id, id));
    throw isGone ? new ApiError('BAD_REQUEST', 'This message has already been deleted.') : error;
  });
  await assertMayDelete(tx, actor, access, rules);
  const events = await removeMessages(tx, actor, access, [id], { rules, also: [actor.id] });
  return { events, changesRules: !(await hasMessagesLeft(tx, access)) };
}
deleteOne.actionName = 'messages.deleteOne' as const;

/**
 * Returns whether the topic has a message left, or, without a topic, the channel. Plans for sending remember whether
 * theirs is the first message of either.
 */
export async function hasMessagesLeft(
  tx: Tx,
  { channel, topic }: Pick<model.access.MessageAccess, 'channel'> & { topic?: TopicRow | null },
): Promise<boolean> {
  if (!channel) return true;
  const isIn = and(
    eq(messages.realmId, channel.channel.realmId),
    topic ? eq(messages.topicId, topic.id) : eq(messages.channelId, channel.channel.id),
  );
  const [remaining] = await tx.select({ id: messages.id }).from(messages).where(isIn).limit(1);
  return remaining !== undefined;
}

async function exists(tx: Tx, realmId: number, id: number): Promise<boolean> {
  const isMessage = and(eq(messages.realmId, realmId), eq(messages.id, id));
  const [message] = await tx.select({ id: messages.id }).from(messages).where(isMessage);
  return message !== undefined;
}

const mayDeleteAny = (
  actor: Actor,
  channel: model.access.ChannelAccess | null,
  rules: model.permissions.Rules,
): boolean =>
  rules.may(actor, 'can_delete_any_message_group') ||
  (channel !== null &&
    model.access.hasChannelPermission(actor, channel, 'can_delete_any_message_group', rules));

async function assertMayDelete(
  tx: Tx,
  actor: Actor,
  { message, channel }: model.access.MessageAccess,
  rules: model.permissions.Rules,
): Promise<void> {
  if (mayDeleteAny(actor, channel, rules)) return;
  const mayDeleteOwn =
    rules.may(actor, 'can_delete_own_message_group') ||
    (channel !== null &&
      model.access.hasChannelPermission(actor, channel, 'can_delete_own_message_group', rules));
  if (!mayDeleteOwn || !(await isOwn(tx, actor, message.senderId))) {
    throw new ApiError('BAD_REQUEST', 'You do not have permission to delete this message.');
  }
  const limit = rules.settings.message_content_delete_limit_seconds;
  const ageMs = (await getDatabaseTime(tx)).getTime() - message.sentAt.getTime();
  if (limit !== null && ageMs > limit * 1000) {
    throw new ApiError('BAD_REQUEST', 'This message is too old for you to delete.');
  }
}

/** Whether the actor sent the message, or a bot of theirs did. */
async function isOwn(tx: Tx, actor: Actor, senderId: number): Promise<boolean> {
  if (senderId === actor.id) return true;
  const [sender] = await model.users.listUsers(tx, actor.realm.id, [senderId]);
  return sender?.botOwnerId === actor.id;
}

export interface TopicDeletion {
  channelId: number;
  topic: string;
  /** The most messages that one transaction deletes. */
  batchMax: number;
}

/**
 * Deletes the newest messages of a topic. `isComplete` is true once none is left; then the users' visibility policies
 * for the topic are removed, too.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone who may not delete every message of the channel
 * @throws BAD_REQUEST for a channel that the actor may not read or that is archived, or an invalid topic name
 */
export async function deleteTopic(
  tx: Tx,
  { actor, channelId, topic: name, batchMax }: { actor: Actor } & TopicDeletion,
): Promise<ActionResult & { isComplete: boolean }> {
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  const access = await model.access.getReadableChannel(tx, actor, channelId, rules);
  if (!isAdministrator(actor) && !mayDeleteAny(actor, access, rules)) {
    throw new ApiError('UNAUTHORIZED_PRINCIPAL', 'Only administrators of the organization can do this.');
  }
  if (access.channel.isArchived) throw new ApiError('BAD_REQUEST', 'This channel does not exist.');
  await lockConversations(tx, actor.realm, [access.channel.conversationId]);
  const topic = await model.topics.findTopic(tx, access.channel, model.messages.parseTopicName(name));
  if (!topic) return { events: [], isComplete: true };

  const ids = await listNewest(tx, actor, access, topic.id, batchMax + 1);
  const batch = ids.slice(0, batchMax).sort((a, b) => a - b);
  const place = { channel: access, topic, people: null };
  const isComplete = ids.length <= batchMax;
  return {
    events: [
      ...(batch.length > 0 ? await removeMessages(tx, actor, place, batch, { rules, also: [actor.id] }) : []),
      ...(isComplete ? await clearPolicies(tx, actor, topic) : []),
    ],
    changesRules: !(await hasMessagesLeft(tx, place)),
    isComplete,
  };
}
deleteTopic.actionName = 'messages.deleteTopic' as const;

/** Ids of the newest messages of a topic; in a channel with protected history, of those that the actor received. */
async function listNewest(
  tx: Tx,
  actor: Actor,
  { channel }: model.access.ChannelAccess,
  topicId: number,
  limit: number,
): Promise<number[]> {
  const rows = await tx.execute<{ id: number }>(sql`
    select m.id from messages m
    where m.realm_id = ${channel.realmId} and m.topic_id = ${topicId} and (${channel.sharesHistory} or exists (
      select from conversation_members c
      where c.realm_id = ${actor.realm.id} and c.conversation_id = m.conversation_id and c.user_id = ${actor.id} and c.received @> m.ordinal
    ))
    order by m.id desc limit ${limit}`);
  return rows.map(({ id }) => id);
}

async function clearPolicies(tx: Tx, { realm }: Actor, topic: TopicRow): Promise<PendingEvent[]> {
  const rows = await tx
    .select({ userId: userTopics.userId })
    .from(userTopics)
    .where(and(eq(userTopics.realmId, realm.id), eq(userTopics.topicId, topic.id)));
  return await setPolicies(
    tx,
    realm,
    topic,
    new Map(rows.map(({ userId }) => [userId, model.userTopics.topicPolicies.none])),
  );
}

/** The place of messages, as the event of their deletion names it. */
export type Place = Pick<model.access.MessageAccess, 'channel' | 'topic' | 'people'>;

/**
 * Deletes messages of one place, archives them, and returns the events for all who could see them. The caller has
 * locked the place.
 */
export async function removeMessages(
  tx: Tx,
  actor: Pick<Actor, 'id' | 'realm'>,
  { channel, topic, people }: Place,
  ids: number[],
  { rules, also }: { rules: model.permissions.Rules; also: number[] },
): Promise<PendingEvent[]> {
  await lockMessages(tx, actor.realm.id, ids);
  const audience = await model.access.messageAudience(tx, { channel: channel?.channel ?? null, people }, ids);
  await archive(tx, actor.realm.id, ids);
  const files = await releaseReferences(tx, actor, ids);
  await tx.delete(messages).where(and(eq(messages.realmId, actor.realm.id), isAmong(messages.id, ids)));
  const event = events.deleteMessage({
    message_ids: ids,
    message_type: channel ? 'stream' : 'private',
    ...(channel && { stream_id: channel.channel.id, topic: topic?.name ?? '' }),
    ...(channel && model.channels.archivedChannelFields(channel.channel)),
  });
  return [
    ...(channel
      ? [await model.channels.refreshedFirstMessageIdEvent(tx, actor.realm, channel.channel, rules)]
      : []),
    { event, ...withUsers(audience, also) },
    ...files.events,
  ];
}

/** Keeps messages, and what belongs to them, for the time in which they can be restored. */
async function archive(tx: Tx, realmId: number, ids: number[]): Promise<void> {
  // One of several servers asks all of them, unless each part says which organization it is about.
  const rowsOf = (table: string) =>
    sql`(
      select jsonb_agg(to_jsonb(r)) from ${sql.raw(table)} r where r.realm_id = ${realmId} and r.message_id = m.id
    )`;
  await tx.execute(sql`
    insert into archived_messages (id, realm_id, deleted_at, message, belongings)
    select m.id, m.realm_id, now(), to_jsonb(m) - 'search', jsonb_strip_nulls(jsonb_build_object(
      'reactions', ${rowsOf('reactions')},
      'message_flags', ${rowsOf('message_flags')},
      'message_edits', ${rowsOf('message_edits')},
      'submessages', ${rowsOf('submessages')},
      'message_attachments', ${rowsOf('message_attachments')}
    ))
    from messages m where m.realm_id = ${realmId} and m.id = any(${bigintArray(ids)})`);
}

function withUsers({ users = [], conversations, except = [] }: Audience, ids: number[]): Audience {
  const others = except.filter((id) => !ids.includes(id));
  return {
    users: [...new Set([...users, ...ids])],
    ...(conversations && { conversations }),
    ...(others.length > 0 && { except: others }),
  };
}
