import { tables, type Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';

import { lockMessage } from '../messages/index.ts';
import { participate } from '../user-topics/index.ts';
import { findNameOnMessage, hasRoomForEmoji } from './emoji-of-message.ts';
import { reactionEvents } from './events.ts';

const { reactions } = tables;

export interface ReactionRequest extends model.emoji.EmojiRequest {
  message_id: number;
}

/**
 * Adds the actor's reaction to a message.
 *
 * @throws BAD_REQUEST for a message that the actor may not read or that is in an archived channel, or an emoji that does
 * not exist, or that would be one more than a message may have
 * @throws REACTION_ALREADY_EXISTS when the actor has reacted with the emoji
 * @throws SERVER_NOT_READY when the message is moved again and again
 */
export async function add(
  tx: Tx,
  { actor, request }: { actor: Actor; request: ReactionRequest },
): Promise<ActionResult> {
  // They are sent together.
  const [rules, named] = await Promise.all([
    model.permissions.getRules(tx, actor.realm.id),
    model.emoji.findNamedEmoji(tx, actor.realm.id, request),
  ]);
  // The message is locked, so that reactions to it are numbered in the order of the log.
  const access = await lockMessage(tx, actor, request.message_id, { rules });
  // Only whoever may read the message is told that there is no such emoji.
  const emoji = model.emoji.completeEmoji(request, named);
  const { code, type } = emoji;
  // A reaction that the message has can always be joined, even if its emoji was deactivated since.
  const existing = await findNameOnMessage(tx, actor.realm.id, request.message_id, emoji);
  const emojiName = existing ?? (await nameOfNewEmoji(tx, actor, request.message_id, emoji));
  const [row] = await tx
    .insert(reactions)
    .values({
      realmId: actor.realm.id,
      messageId: request.message_id,
      userId: actor.id,
      emojiName,
      emojiCode: code,
      reactionType: type,
    })
    .onConflictDoNothing()
    .returning();
  if (!row) throw new ApiError('REACTION_ALREADY_EXISTS', 'You have already reacted with this emoji.');
  const topicEvents = await participate(tx, actor, access);
  return {
    events: [...topicEvents, ...(await reactionEvents(tx, actor, rules, 'add', access, row))],
  };
}
add.actionName = 'reactions.add' as const;

/** The name of an emoji with which nobody has reacted to the message yet. */
async function nameOfNewEmoji(
  tx: Tx,
  actor: Actor,
  messageId: number,
  emoji: model.emoji.Emoji,
): Promise<string> {
  const { name } = await model.emoji.assertUsableEmoji(tx, actor.realm.id, emoji);
  if (!(await hasRoomForEmoji(tx, actor.realm.id, messageId))) {
    throw new ApiError('BAD_REQUEST', 'This message already has too many different reactions.');
  }
  return name;
}
