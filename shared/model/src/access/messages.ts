import { type MessageRow, type TopicRow, tables, type Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, eq, type SQL, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';

import type { Actor } from '../actor.ts';
import { isBigId } from '../ids.ts';
import { type Rules, getRules } from '../permissions/rules.ts';
import { mayReadChannel } from './channel-permissions.ts';
import type { ChannelAccess } from './channel-permissions.ts';
import { findChannel } from './channels.ts';

const { channels, conversationMembers, conversations, messages, topics } = tables;

/** A message, where it is now, and the actor's access to it. */
export interface MessageAccess {
  message: MessageRow;
  /** Whether the actor received it. Otherwise the actor reads it as part of its channel's history. */
  wasReceived: boolean;
  /** The channel that it is in now; null for a direct message, as is the topic. */
  channel: ChannelAccess | null;
  topic: TopicRow | null;
  /** The users in its direct message conversation; null for a channel message. */
  people: number[] | null;
}

const invalid = () =>
  new ApiError('BAD_REQUEST', 'These messages do not exist, or you do not have access to them.');

interface ReadOptions {
  rules?: Rules;
  lock?: 'no key update';
}

/**
 * Returns a message that the actor may read.
 *
 * @throws BAD_REQUEST if there is none, or the actor may not read it: the two look the same
 */
export async function getMessage(
  tx: Tx,
  actor: Actor,
  id: number,
  options?: ReadOptions,
): Promise<MessageAccess> {
  const access = await findMessage(tx, actor, id, options);
  if (!access) throw invalid();
  return access;
}

/** Returns a message that the actor may read; undefined if there is none. */
export async function findMessage(
  tx: Tx,
  actor: Actor,
  id: number,
  { rules, lock }: ReadOptions = {},
): Promise<MessageAccess | undefined> {
  if (!isBigId(id)) return undefined;
  const query = tx
    .select({ message: messages, people: conversations.people, wasReceived: receivedBy() })
    .from(messages)
    .innerJoin(
      conversations,
      and(eq(conversations.realmId, messages.realmId), eq(conversations.id, messages.conversationId)),
    )
    .leftJoin(
      conversationMembers,
      and(
        eq(conversationMembers.realmId, messages.realmId),
        eq(conversationMembers.conversationId, messages.conversationId),
        eq(conversationMembers.userId, actor.id),
      ),
    )
    .where(and(eq(messages.id, id), eq(messages.realmId, actor.realm.id)));
  const [row] = await (lock ? query.for(lock, { of: messages }) : query);
  if (!row) return undefined;
  // The place is read after the row is locked: until then the message may be moved.
  const access = { ...row, ...(await findPlace(tx, actor, row.message)) };
  return mayReadMessage(actor, access, rules ?? (await getRules(tx, actor.realm.id))) ? access : undefined;
}

/**
 * Returns the conversation of the place in which a message is that the actor may read, so that it can be locked: who may
 * not read a place does not hold up those who do. It is not always the one that the message was sent to.
 *
 * @throws BAD_REQUEST if there is no such message
 */
export async function getMessageConversation(
  tx: Tx,
  actor: Actor,
  id: number,
  rules: Rules,
): Promise<number> {
  if (!isBigId(id)) throw invalid();
  const subscriptions = alias(conversationMembers, 'subscriptions');
  const [row] = await tx
    .select({
      conversationId: messages.conversationId,
      wasReceived: receivedBy(),
      channel: channels,
      isSubscribed: subscriptions.isSubscribed,
    })
    .from(messages)
    .leftJoin(
      conversationMembers,
      and(
        eq(conversationMembers.realmId, messages.realmId),
        eq(conversationMembers.conversationId, messages.conversationId),
        eq(conversationMembers.userId, actor.id),
      ),
    )
    .leftJoin(channels, and(eq(channels.realmId, messages.realmId), eq(channels.id, messages.channelId)))
    .leftJoin(
      subscriptions,
      and(
        eq(subscriptions.realmId, messages.realmId),
        eq(subscriptions.conversationId, channels.conversationId),
        eq(subscriptions.userId, actor.id),
      ),
    )
    .where(and(eq(messages.id, id), eq(messages.realmId, actor.realm.id)));
  if (!row) throw invalid();
  const { wasReceived, channel, isSubscribed } = row;
  const access = { wasReceived, channel: channel && { channel, isSubscribed: isSubscribed ?? false } };
  if (!mayReadMessage(actor, access, rules)) throw invalid();
  return channel?.conversationId ?? row.conversationId;
}

/**
 * Locks a message that the actor may read and that is not in an archived channel, where nothing changes any more.
 *
 * @throws BAD_REQUEST if there is no such message
 */
export async function lockChangeableMessage(
  tx: Tx,
  actor: Actor,
  id: number,
  options: { rules?: Rules; lock: 'no key update' },
): Promise<MessageAccess> {
  const access = await getMessage(tx, actor, id, options);
  if (access.channel?.channel.isArchived) throw invalid();
  return access;
}

const receivedBy = (): SQL<boolean> =>
  sql<boolean>`coalesce(${messages.ordinal} <@ ${conversationMembers.received}, false)`;

async function findPlace(tx: Tx, actor: Actor, { id, channelId, topicId }: MessageRow) {
  if (channelId === null) return { channel: null, topic: null };
  // They are sent together. A message in a channel has a topic.
  const [channel, [topic]] = await Promise.all([
    findChannel(tx, actor, channelId),
    tx
      .select()
      .from(topics)
      .where(and(eq(topics.realmId, actor.realm.id), eq(topics.id, topicId ?? 0))),
  ]);
  if (!channel || !topic) throw new Error(`Message ${id} is in a channel or topic that does not exist.`);
  return { channel, topic };
}

/**
 * Returns whether the actor may read a message. Protected history is readable to subscribers who received the message.
 */
export function mayReadMessage(
  actor: Actor,
  { wasReceived, channel }: Pick<MessageAccess, 'wasReceived' | 'channel'>,
  rules: Rules,
): boolean {
  if (!channel) return wasReceived;
  return channel.channel.sharesHistory
    ? mayReadChannel(actor, channel, rules)
    : wasReceived && channel.isSubscribed;
}
