import { tables, type Tx } from '@parley/db';
import { type Realm, actorOf } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { and, eq, sql } from 'drizzle-orm';

import { lockMessageForServer } from '../messages/index.ts';
import { findNameOnMessage, hasRoomForEmoji } from './emoji-of-message.ts';
import { reactionEvents } from './events.ts';

const { reactions } = tables;

/** A reaction that the source of an imported message has, or has no longer. */
export interface SourceReaction {
  messageId: number;
  userId: number;
  emoji: model.emoji.Emoji;
  isThere: boolean;
}

/**
 * Gives an imported message the reaction that its source has, or takes away the one that its source has no longer. Does
 * nothing where it is so already, where the message is gone, or has as many different reactions as it may. It is
 * recorded as the source's, which tells it from what people here do.
 *
 * @throws SERVER_NOT_READY when the message is moved again and again
 */
export async function followSource(
  tx: Tx,
  { realm, messageId, userId, emoji, isThere }: SourceReaction & { realm: Realm },
): Promise<ActionResult> {
  const locked = await lockMessageForServer(tx, realm, messageId);
  const [user] = await model.users.listUsers(tx, realm.id, [userId]);
  if (!locked || !user) return { events: [] };
  const row = isThere
    ? await add(tx, realm.id, { messageId, userId, emoji })
    : await remove(tx, realm.id, { messageId, userId, emoji });
  if (!row) return { events: [] };
  // What came of reactions is one number, from which each can be taken and to which each can be added.
  await tx.execute(sql`
    update imported_messages
    set reactions_hash = reactions_hash # reaction_hash(${userId}, ${emoji.type}, ${emoji.code})
    where realm_id = ${realm.id} and message_id = ${messageId}`);
  const { channel, people } = locked.place;
  const access = {
    message: locked.message,
    channel: channel && { channel, isSubscribed: false },
    people,
  };
  const rules = await model.permissions.getRules(tx, realm.id);
  const op = isThere ? 'add' : 'remove';
  return { events: await reactionEvents(tx, actorOf(user, realm), rules, op, access, row) };
}
followSource.actionName = 'reactions.followSource' as const;

type Reacted = Omit<SourceReaction, 'isThere'>;

async function add(
  tx: Tx,
  realmId: number,
  { messageId, userId, emoji }: Reacted,
): Promise<model.reactions.ReactionRow | undefined> {
  const existing = await findNameOnMessage(tx, realmId, messageId, emoji);
  if (existing === undefined && !(await hasRoomForEmoji(tx, realmId, messageId))) return undefined;
  const [row] = await tx
    .insert(reactions)
    .values({
      realmId,
      messageId,
      userId,
      emojiName: existing ?? emoji.name,
      emojiCode: emoji.code,
      reactionType: emoji.type,
    })
    .onConflictDoNothing()
    .returning();
  return row;
}

async function remove(
  tx: Tx,
  realmId: number,
  { messageId, userId, emoji }: Reacted,
): Promise<model.reactions.ReactionRow | undefined> {
  const [row] = await tx
    .delete(reactions)
    .where(
      and(
        eq(reactions.realmId, realmId),
        eq(reactions.messageId, messageId),
        eq(reactions.userId, userId),
        eq(reactions.emojiCode, emoji.code),
        eq(reactions.reactionType, emoji.type),
      ),
    )
    .returning();
  return row;
}
