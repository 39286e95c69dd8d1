import { type Tx, type MessageRow, tables } from '@parley/db';
import { type Actor, type Realm, bigintArray, hasId } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { lockConversations } from '../lock.ts';

const lockAttemptsMax = 5;

/**
 * Locks a message that the actor may read and that may still change, with the conversation of the place it is in, until
 * the end of the transaction. Edits, moves, deletions of and reactions to messages there take turns, and nobody joins
 * or leaves meanwhile. The conversations `also` are locked with it, because conversations are locked in one order.
 *
 * @throws BAD_REQUEST for a message that does not exist, that the actor may not read, or in an archived channel
 * @throws SERVER_NOT_READY when the message is moved again and again
 */
export async function lockMessage(
  tx: Tx,
  actor: Actor,
  id: number,
  { rules: givenRules, also = [] }: { rules?: model.permissions.Rules; also?: number[] } = {},
): Promise<model.access.MessageAccess> {
  const rules = givenRules ?? (await model.permissions.getRules(tx, actor.realm.id));
  let conversationId = await model.access.getMessageConversation(tx, actor, id, rules);
  for (let attempt = 0; attempt < lockAttemptsMax; attempt += 1) {
    await lockConversations(tx, actor.realm, [conversationId, ...also]);
    const access = await model.access.lockChangeableMessage(tx, actor, id, { rules, lock: 'no key update' });
    if (conversationOf(access) === conversationId) return access;
    // The message was moved while this waited for the lock of its conversation.
    conversationId = conversationOf(access);
  }
  throw movingError();
}

const movingError = () =>
  new ApiError('SERVER_NOT_READY', 'Somebody is moving this message right now. Please try again.');

export interface LockedMessage {
  message: MessageRow;
  place: model.access.MessagePlace;
}

/**
 * Locks a message with the conversation of the place it is in, for the server itself, which needs no permission.
 * Returns the message and its place; undefined for a message that was deleted, or is in an archived channel, where
 * nothing changes.
 *
 * @throws SERVER_NOT_READY when the message is moved again and again
 */
export async function lockMessageForServer(
  tx: Tx,
  realm: Realm,
  id: number,
): Promise<LockedMessage | undefined> {
  let current = await findPlaced(tx, realm, id);
  for (let attempt = 0; current && attempt < lockAttemptsMax; attempt += 1) {
    await lockConversations(tx, realm, [current.conversationId]);
    const locked: PlacedMessage | undefined = await findPlaced(tx, realm, id, 'no key update');
    if (locked?.conversationId === current.conversationId) {
      return locked.place.channel?.isArchived ? undefined : locked;
    }
    current = locked;
  }
  if (current) throw movingError();
  return undefined;
}

interface PlacedMessage extends LockedMessage {
  /** The conversation of the place, which is not always the one that the message was sent to. */
  conversationId: number;
}

async function findPlaced(
  tx: Tx,
  realm: Realm,
  id: number,
  lock?: 'no key update',
): Promise<PlacedMessage | undefined> {
  const { channels, conversations, messages } = tables;
  const query = tx
    .select()
    .from(messages)
    .where(and(eq(messages.id, id), eq(messages.realmId, realm.id)));
  const [message] = await (lock ? query.for(lock) : query);
  if (!message) return undefined;
  const { channelId, conversationId } = message;
  if (channelId === null) {
    const [direct] = await tx
      .select({ people: conversations.people })
      .from(conversations)
      .where(hasId(conversations, realm, conversationId));
    return { message, conversationId, place: { channel: null, people: direct?.people ?? [] } };
  }
  const [channel] = await tx
    .select()
    .from(channels)
    .where(hasId(channels, realm, channelId));
  if (!channel) throw new Error(`A message is in channel ${channelId}, which does not exist.`);
  return { message, conversationId: channel.conversationId, place: { channel, people: null } };
}

/** Locks messages of a place that is locked, so that nobody marks them or reacts to them meanwhile. */
export async function lockMessages(tx: Tx, realmId: number, ids: number[]): Promise<void> {
  await tx.execute(sql`
    select from messages where realm_id = ${realmId} and id = any(${bigintArray(ids)}) order by id for no key update`);
}

const conversationOf = ({ message, channel }: model.access.MessageAccess) =>
  channel?.channel.conversationId ?? message.conversationId;

/**
 * Returns the time now, in whole milliseconds, by the clock that messages are timed by. It is read while a place is
 * locked, so that times never run against the order in which messages there were changed.
 */
export async function getDatabaseTime(tx: Tx): Promise<Date> {
  const [row] = await tx.execute<{ ms: number }>(
    sql`select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as ms`,
  );
  if (!row) throw new Error('A query without a table returned no row.');
  return new Date(Number(row.ms));
}
