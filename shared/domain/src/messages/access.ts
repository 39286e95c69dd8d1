import { type Tx, tables } from '@parley/db';
import { ApiError, notReady } from '@parley/protocol';
import { type SQL, and, eq, sql } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { type ChannelAccess, findChannel } from '../channels/find.ts';
import { mayRead } from '../channels/may.ts';
import { isId } from '../ids.ts';
import { lockConversations } from '../lock.ts';
import { type Rules, getRules } from '../realms/rules.ts';

const { channels, conversationMembers, conversations, messages, topics } = tables;

export type MessageRecord = typeof messages.$inferSelect;
export type TopicRecord = typeof topics.$inferSelect;

/** A message, where it is now, and what the actor is to it. */
export interface MessageAccess {
  message: MessageRecord;
  /** Whether it was sent to the actor: otherwise it is read as the history of its channel. */
  wasReceived: boolean;
  /** The channel that it is in now, and its topic there; null of a direct message. */
  channel: ChannelAccess | null;
  topic: TopicRecord | null;
  /** Everyone in its direct conversation; null of a channel message. */
  people: number[] | null;
}

/** How an action holds the message until its end: `share` while it stands as it is, the others to change or delete it. */
export type MessageLock = 'share' | 'no key update' | 'update';

const invalid = () => new ApiError('BAD_REQUEST', 'Invalid message(s)');

/** A message that the actor may read. Missing and forbidden look the same. */
export async function getMessage(
  tx: Tx,
  actor: Actor,
  id: number,
  { rules, lock }: { rules?: Rules; lock?: MessageLock } = {},
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
export async function getLiveMessage(
  tx: Tx,
  actor: Actor,
  id: number,
  options: { rules?: Rules; lock: MessageLock },
): Promise<MessageAccess> {
  const access = await getMessage(tx, actor, id, options);
  if (access.channel?.channel.isArchived) throw invalid();
  return access;
}

/**
 * The same, while nobody joins or leaves the channel that it is in: for what must reach exactly those who are there. The
 * conversation is held before the message, as by whoever moves messages.
 */
export async function getHeldMessage(
  tx: Tx,
  actor: Actor,
  id: number,
  options: { rules?: Rules; lock: MessageLock },
): Promise<MessageAccess> {
  for (let attempt = 0; attempt < attemptsMax; attempt += 1) {
    const conversationId = isId(id) ? await findChannelConversation(tx, id) : null;
    await lockConversations(tx, conversationId === null ? [] : [conversationId]);
    const access = await getLiveMessage(tx, actor, id, options);
    if ((access.channel?.channel.conversationId ?? null) === conversationId) return access;
  }
  throw notReady();
}

/** A message that is moved while it is looked up is looked up again. */
const attemptsMax = 3;

async function findChannelConversation(tx: Tx, id: number): Promise<number | null> {
  const [found] = await tx
    .select({ conversationId: channels.conversationId })
    .from(messages)
    .innerJoin(channels, eq(channels.id, messages.channelId))
    .where(eq(messages.id, id));
  return found?.conversationId ?? null;
}

const receivedBy = (): SQL<boolean> =>
  sql<boolean>`coalesce(${messages.ordinal} <@ ${conversationMembers.received}, false)`;

async function findPlace(tx: Tx, actor: Actor, { channelId, topicId, conversationId }: MessageRecord) {
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
  return channel.channel.sharesHistory ? mayRead(actor, channel, rules) : wasReceived && channel.isSubscribed;
}
