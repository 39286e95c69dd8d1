import { tables, type Tx } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { lockMessage } from '../messages/index.ts';
import { reactionEvents } from './events.ts';

const { reactions } = tables;

export interface ReactionRemoval {
  message_id: number;
  emoji_name?: string | undefined;
  emoji_code?: string | undefined;
  reaction_type?: string | undefined;
}

/**
 * Removes the actor's reaction from a message.
 *
 * @throws BAD_REQUEST for a message that the actor may not read or that is in an archived channel, or a request that
 * names no emoji that exists
 * @throws REACTION_DOES_NOT_EXIST when the actor has not reacted with the emoji
 * @throws SERVER_NOT_READY when the message is moved again and again
 */
export async function remove(
  tx: Tx,
  { actor, removal }: { actor: Actor; removal: ReactionRemoval },
): Promise<ActionResult> {
  const rules = await model.permissions.getRules(tx, actor.realm.id);
  const access = await lockMessage(tx, actor, removal.message_id, { rules });
  const rows = await tx
    .select()
    .from(reactions)
    .where(
      and(
        eq(reactions.realmId, actor.realm.id),
        eq(reactions.messageId, access.message.id),
        eq(reactions.userId, actor.id),
      ),
    )
    .orderBy(reactions.id);
  const row = await pick(tx, actor, rows, removal);
  await tx.delete(reactions).where(and(eq(reactions.realmId, actor.realm.id), eq(reactions.id, row.id)));
  return { events: [...(await reactionEvents(tx, actor, rules, 'remove', access, row))] };
}
remove.actionName = 'reactions.remove' as const;

/** Picks the reaction that a request names: by its code, which outlives names, or by what the name stands for or stood for. */
async function pick(
  tx: Tx,
  actor: Actor,
  rows: model.reactions.ReactionRow[],
  { emoji_name: name, emoji_code: code, reaction_type }: ReactionRemoval,
): Promise<model.reactions.ReactionRow> {
  const type = reaction_type === undefined ? undefined : model.emoji.getReactionType(reaction_type);
  if (code === undefined) {
    if (name === undefined) {
      const needed = 'emoji_name, emoji_code';
      throw new ApiError('BAD_REQUEST', `Send at least one of these parameters: ${needed}.`);
    }
    const called = await model.emoji.listEmojiCalled(tx, actor.realm.id, name);
    const ofType = rows.filter((row) => (type ?? row.reactionType) === row.reactionType);
    const isOf = (row: model.reactions.ReactionRow, emoji: model.emoji.Emoji) =>
      row.emojiCode === emoji.code && row.reactionType === emoji.type;
    return getFirst(called.flatMap((emoji) => ofType.filter((row) => isOf(row, emoji))));
  }
  const withCode = rows.filter(
    (row) => row.emojiCode === code && (type ?? row.reactionType) === row.reactionType,
  );
  if (withCode.length === 0 && !isCode(code, type))
    throw new ApiError('BAD_REQUEST', 'There is no emoji with this code.');
  // The id of a custom emoji may be the same as a code point, so the one with the right name comes first.
  return getFirst([...withCode.filter((row) => row.emojiName === name), ...withCode]);
}

function getFirst([row]: model.reactions.ReactionRow[]): model.reactions.ReactionRow {
  if (!row) throw new ApiError('REACTION_DOES_NOT_EXIST', 'You have not reacted with this emoji.');
  return row;
}

const isCodeOf: Record<model.emoji.ReactionType, (code: string) => boolean> = {
  unicode_emoji: model.emoji.isUnicodeEmojiCode,
  realm_emoji: (code) => /^\d{1,10}$/.test(code),
  svc_extra_emoji: (code) => code === model.emoji.extraEmoji.code,
};

const isCode = (code: string, type: model.emoji.ReactionType | undefined) =>
  type ? isCodeOf[type](code) : Object.values(isCodeOf).some((isCodeOfType) => isCodeOfType(code));
