import { type Tx, tables, type TopicRow } from '@parley/db';
import { type Actor, isGuest, bigintArray, hasId } from '@parley/model';
import * as model from '@parley/model';
import { ApiError, type PendingEvent, events, resolvedPrefix } from '@parley/protocol';
import { sql } from 'drizzle-orm';

import { ensureTopic } from '../../topics/index.ts';
import { lockMessages } from '../lock.ts';
import { assertTopicAllowed, mayOwnerSend } from '../send/recipients.ts';
import { listUsersLosingAccess, grantAccess, loserAudience, moveAudience } from './access.ts';
import type { Move, Resolving, CompletedMove } from './move-plan.ts';
import {
  moveLimits,
  assertMayResolve,
  assertMayMoveBetweenTopics,
  assertMoveIsInTime,
  assertMayMoveOutOf,
} from './permissions.ts';
import { moveUserPolicies } from './policies.ts';
import type { MessageEdit } from './request.ts';

const { topics } = tables;

interface MoveContext {
  rules: model.permissions.Rules;
  at: Date;
}

/**
 * Plans a move that the actor may make; null where nothing is to be moved.
 *
 * @throws BAD_REQUEST for a channel or a topic that messages cannot go to, or a move that the actor may not make
 * @throws MOVE_MESSAGES_TIME_LIMIT_EXCEEDED when messages that would be moved are too old
 */
export async function planMove(
  tx: Tx,
  actor: Actor,
  { message, channel: from, topic: fromTopic }: model.access.MessageAccess,
  { topic, channelId, propagateMode }: MessageEdit,
  { rules, at }: MoveContext,
): Promise<Move | null> {
  if (!from || !fromTopic || (topic === undefined && channelId === undefined)) return null;
  const to =
    channelId === undefined ? from : ((await model.access.findChannel(tx, actor, channelId)) ?? null);
  const resolving =
    topic !== undefined && channelId === undefined ? resolvingOf(fromTopic.name, topic) : null;
  const limits = moveLimits(actor, rules);
  if (topic !== undefined) {
    if (channelId === undefined) assertTopicAllowed(from.channel, topic, rules);
    if (resolving) assertMayResolve(actor, from, to ?? from, rules);
    else assertMayMoveBetweenTopics(actor, from, to ?? from, rules);
  }
  if (channelId !== undefined) {
    assertMayMoveOutOf(actor, from, rules);
    await assertMayMoveInto(tx, actor, to, rules);
    if (to) assertTopicAllowed(to.channel, topic ?? fromTopic.name, rules);
  }
  if (!to) throw new ApiError('BAD_REQUEST', 'This channel does not exist.');

  const visible = await listTopic(tx, actor, from, fromTopic.id);
  const toTopic = (await model.topics.findTopic(tx, to.channel, topic ?? fromTopic.name)) ?? null;
  // The same topic in another spelling.
  const isRespelled = toTopic?.id === fromTopic.id;
  const mode = propagateMode;
  if (!resolving) {
    const moved = mode === 'change_all' ? visible.messages : [message];
    const applying = [
      topic === undefined ? null : limits.topicSeconds,
      channelId === undefined ? null : limits.channelSeconds,
    ];
    assertMoveIsInTime(moved, visible.messages, applying, at);
  }
  const ids =
    isRespelled && mode === 'change_all'
      ? visible.allIds
      : visible.messages
          .map(({ id }) => id)
          .filter(
            (id) =>
              mode === 'change_all' || id === message.id || (mode === 'change_later' && id > message.id),
          );
  const isComplete = ids.length === visible.allIds.length;
  const isWhole = isRespelled ? isComplete : ids.length >= visible.messages.length;
  return {
    from,
    fromTopic,
    to,
    toTopic: isRespelled ? null : toTopic,
    topicName: isRespelled || !toTopic ? (topic ?? fromTopic.name) : toTopic.name,
    targetHasMessages:
      toTopic !== null && !isRespelled && (await listTopic(tx, actor, to, toTopic.id)).messages.length > 0,
    mode,
    target: message.id,
    ids,
    isWhole,
    isComplete,
    isRespelled,
    resolving,
    expects:
      mode === 'change_one' && !isWhole
        ? null
        : { topicId: fromTopic.id, lastMessageId: visible.allIds.at(-1) ?? 0 },
  };
}

/** A check mark before the unchanged name resolves a topic; the name without its check marks unresolves it. */
function resolvingOf(old: string, topic: string): Resolving | null {
  if (topic === resolvedPrefix + old && old !== '') return 'resolved';
  const isUnresolved =
    old.startsWith(resolvedPrefix) &&
    !topic.startsWith(resolvedPrefix) &&
    topic === old.replace(/^[✔ ]+/, '');
  return isUnresolved ? 'unresolved' : null;
}

async function assertMayMoveInto(
  tx: Tx,
  actor: Actor,
  to: model.access.ChannelAccess | null,
  rules: model.permissions.Rules,
): Promise<void> {
  if (!to || to.channel.isArchived || !model.access.mayReadChannel(actor, to, rules)) {
    throw new ApiError('BAD_REQUEST', 'This channel does not exist.');
  }
  if (isGuest(actor) && !to.isSubscribed) {
    throw new ApiError(
      'BAD_REQUEST',
      `You do not have permission to post in the channel '${to.channel.name}'.`,
    );
  }
  if (!model.access.maySendToChannel(actor, to, rules) && !(await mayOwnerSend(tx, actor, to, rules))) {
    throw new ApiError('BAD_REQUEST', 'You do not have permission to post in this channel.');
  }
}

interface VisibleTopic {
  messages: { id: number; sentAt: Date }[];
  /** Ids of all messages, among them those that the actor does not see. */
  allIds: number[];
}

/** The messages of a topic; in a channel with protected history, the actor sees those that they received. */
async function listTopic(
  tx: Tx,
  actor: Actor,
  { channel }: model.access.ChannelAccess,
  topicId: number,
): Promise<VisibleTopic> {
  const rows = await tx.execute<{ id: number; ms: number; is_visible: boolean }>(sql`
    select m.id, floor(extract(epoch from m.sent_at) * 1000)::bigint as ms,
      ${channel.sharesHistory} or exists (
        select from conversation_members c
        where c.realm_id = ${actor.realm.id} and c.conversation_id = m.conversation_id and c.user_id = ${actor.id} and c.received @> m.ordinal
      ) as is_visible
    from messages m
    where m.realm_id = ${channel.realmId} and m.topic_id = ${topicId} order by m.id`);
  return {
    messages: rows
      .filter(({ is_visible }) => is_visible)
      .map(({ id, ms }) => ({ id, sentAt: new Date(Number(ms)) })),
    allIds: rows.map(({ id }) => id),
  };
}

/**
 * Moves the messages. The conversation that a message was sent to and its ordinal there never change, so that nobody's
 * read state does; only the place where it is shown changes. Renaming a whole topic is one change of the topic's row.
 */
export async function moveMessages(
  tx: Tx,
  actor: Actor,
  move: Move,
  { rules, at }: MoveContext,
): Promise<CompletedMove> {
  const { from, to, fromTopic, ids } = move;
  const isChannelChanged = from.channel.id !== to.channel.id;
  const renamed = await renameTopic(tx, move);
  if (!renamed) await lockMessages(tx, actor.realm.id, ids);
  const losers = isChannelChanged ? await listUsersLosingAccess(tx, move) : null;
  const toTopic = renamed ?? (await moveRows(tx, move));
  const topicName = move.isRespelled ? move.topicName : toTopic.name;
  if (isChannelChanged && !to.channel.sharesHistory) await grantAccess(tx, to.channel, ids);
  await recordMove(tx, actor, { ...move, topicName }, at);

  const eventsBefore: PendingEvent[] = [];
  if (isChannelChanged) {
    eventsBefore.push(
      await model.channels.refreshedFirstMessageIdEvent(tx, actor.realm, from.channel, rules),
      await model.channels.refreshedFirstMessageIdEvent(tx, actor.realm, to.channel, rules),
    );
  }
  if (losers && losers.ids.length > 0) {
    const event = events.deleteMessage({
      message_ids: ids,
      message_type: 'stream',
      stream_id: from.channel.id,
      topic: fromTopic.name,
    });
    eventsBefore.push({ event, ...loserAudience(losers) });
  }
  if (move.isWhole) {
    eventsBefore.push(...(await moveUserPolicies(tx, move, toTopic, new Set(losers?.ids), at)));
  }
  return { ...move, topicName, eventsBefore, audience: await moveAudience(tx, move) };
}

/** Renames a whole topic within its channel; null where the move is more than that. */
async function renameTopic(tx: Tx, move: Move): Promise<TopicRow | null> {
  const { from, to, fromTopic, toTopic, topicName, isComplete } = move;
  if (from.channel.id !== to.channel.id || !isComplete || toTopic) return null;
  if (topicName.toLowerCase() !== fromTopic.name.toLowerCase()) {
    // Whoever creates the same topic at this moment waits for the end of this transaction, and finds it renamed.
    const [claimed] = await tx
      .insert(topics)
      .values({ realmId: to.channel.realmId, channelId: to.channel.id, name: topicName })
      .onConflictDoNothing()
      .returning();
    if (!claimed) return null;
    await tx.delete(topics).where(hasId(topics, { id: claimed.realmId }, claimed.id));
  }
  await tx
    .update(topics)
    .set({ name: topicName })
    .where(hasId(topics, { id: fromTopic.realmId }, fromTopic.id));
  return { ...fromTopic, name: topicName };
}

async function moveRows(tx: Tx, { to, fromTopic, topicName, ids, isRespelled }: Move): Promise<TopicRow> {
  // Some messages of a topic that spell it otherwise stay in it: the record of the move says how.
  if (isRespelled) return fromTopic;
  const topic = await ensureTopic(tx, to.channel, topicName);
  await tx.execute(sql`
    update messages set topic_id = ${topic.id}, channel_id = ${to.channel.id}
    where realm_id = ${to.channel.realmId} and id = any(${bigintArray(ids)})`);
  return topic;
}

/**
 * Records the move for the edit history: in one row, however many messages it is about. Of messages that keep their
 * topic's name each keeps its spelling, in a row for each.
 */
async function recordMove(tx: Tx, actor: Actor, move: Move, at: Date): Promise<void> {
  const { from, to, fromTopic, topicName, ids } = move;
  const keepsSpelling = topicName === fromTopic.name;
  // Clients judge by the names that they are told. A topic that is there already may be spelled otherwise than was asked.
  const isResolving = from.channel.id === to.channel.id && resolvingOf(fromTopic.name, topicName) !== null;
  const spelled = sql`
    select moved.id, case when lower(latest.topic) = lower(topic.name) then latest.topic else topic.name end as topic
    from unnest(${bigintArray(ids)}) moved (id)
    join topics topic on topic.realm_id = ${fromTopic.realmId} and topic.id = ${fromTopic.id}
    left join lateral (
      select m.topic from message_moves m
      where ${model.messages.movesOf(actor.realm.id)} and m.message_ids @> moved.id order by m.id desc limit 1
    ) latest on true`;
  const named = sql`select id, ${topicName} as topic from unnest(${bigintArray(ids)}) id`;
  await tx.execute(sql`
    insert into message_moves (realm_id, user_id, moved_at, message_ids, prev_channel_id, channel_id, prev_topic,
      topic, is_resolving)
    select ${actor.realm.id}, ${actor.id}, ${at.toISOString()}::timestamptz, range_agg(int8range(id, id + 1)),
      ${from.channel.id}, ${to.channel.id}, ${keepsSpelling ? sql`topic` : fromTopic.name}, topic,
      ${isResolving}
    from (${keepsSpelling ? spelled : named}) moved group by topic`);
}
