import { type MessageRow, type TopicRow, tables, type Tx } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, eq, type SQL, sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { isId } from '../ids.ts';
import { type Rules, getRules } from '../permissions/rules.ts';
import { mayReadChannel } from './channel-permissions.ts';
import type { ChannelAccess } from './channel-permissions.ts';
import { findChannel } from './channels.ts';

const { conversationMembers, conversations, messages, topics } = tables;

/** A message, where it is now, and what the actor is to it. */
export interface MessageAccess {
  message: MessageRow;
  /** Whether it was sent to the actor: otherwise it is read as the history of its channel. */
  wasReceived: boolean;
  /** The channel that it is in now, and its topic there; null of a direct message. */
  channel: ChannelAccess | null;
  topic: TopicRow | null;
  /** Everyone in its direct conversation; null of a channel message. */
  people: number[] | null;
}

const invalid = () => new ApiError('BAD_REQUEST', 'Invalid message(s)');

/** A message that the actor may read. Missing and forbidden look the same. */
export async function getMessage(
  tx: Tx,
  actor: Actor,
  id: number,
  { rules, lock }: { rules?: Rules; lock?: 'no key update' } = {},
): Promise<MessageAccess> {
  if (!isId(id)) throw invalid();
  const query = tx
    .select({ message: messages, wasReceived: receivedBy() })
    .from(messages)
    .leftJoin(
      conversationMembers,
      and(
        eq(conversationMembers.conversationId, messages.conversationId),
        eq(conversationMembers.userId, actor.id),
      ),
    )
    .where(and(eq(messages.id, id), eq(messages.realmId, actor.realm.id)));
  const [found] = await (lock ? query.for(lock, { of: messages }) : query);
  if (!found) throw invalid();
  // Read after the lock is held: until then the message may have moved.
  const access = { ...found, ...(await findPlace(tx, actor, found.message)) };
  if (!mayReadMessage(actor, access, rules ?? (await getRules(tx, actor.realm.id)))) throw invalid();
  return access;
}

/** The message, if the actor may read it. */
export async function findMessage(tx: Tx, actor: Actor, id: number): Promise<MessageAccess | undefined> {
  try {
    return await getMessage(tx, actor, id);
  } catch (error) {
    if (error instanceof ApiError) return undefined;
    throw error;
  }
}

/** A message that the actor may read and that may still change, held: nothing changes in an archived channel. */
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

async function findPlace(tx: Tx, actor: Actor, { channelId, topicId, conversationId }: MessageRow) {
  if (channelId === null || topicId === null) {
    const [conversation] = await tx
      .select({ people: conversations.people })
      .from(conversations)
      .where(eq(conversations.id, conversationId));
    return { channel: null, topic: null, people: conversation?.people ?? [] };
  }
  const channel = await findChannel(tx, actor, channelId);
  const [topic] = await tx.select().from(topics).where(eq(topics.id, topicId));
  if (!channel || !topic) throw invalid();
  return { channel, topic, people: null };
}

/** Of a channel whose history is protected, only what one received and while one is subscribed. */
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
