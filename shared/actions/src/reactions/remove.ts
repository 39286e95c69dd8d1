import { tables, type Tx } from '@parley/db';
import {
  type Actor,
  type ReactionRow,
  getReactionType,
  getEmoji,
  type ReactionType,
  isUnicodeEmojiCode,
  extraEmoji,
} from '@parley/model';
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

export async function remove(tx: Tx, actor: Actor, removal: ReactionRemoval): Promise<ActionResult> {
  const access = await lockMessage(tx, actor, removal.message_id);
  const mine = await tx
    .select()
    .from(reactions)
    .where(and(eq(reactions.messageId, access.message.id), eq(reactions.userId, actor.id)))
    .orderBy(reactions.id);
  const row = await pick(tx, actor, mine, removal);
  await tx.delete(reactions).where(eq(reactions.id, row.id));
  return { events: [...(await reactionEvents(tx, actor, 'remove', access, row))], keepsRules: true };
}

/** The reaction that is meant: by its code, which outlives names, else by what the name stands for now. */
async function pick(
  tx: Tx,
  actor: Actor,
  mine: ReactionRow[],
  { emoji_name: name, emoji_code: code, reaction_type }: ReactionRemoval,
): Promise<ReactionRow> {
  const type = reaction_type === undefined ? undefined : getReactionType(reaction_type);
  if (code === undefined) {
    if (name === undefined) {
      const needed = 'emoji_name, emoji_code';
      throw new ApiError('BAD_REQUEST', `At least one of the following arguments must be present: ${needed}`);
    }
    const meant = await getEmoji(tx, actor.realm.id, name);
    const wanted = { code: meant.code, type: type ?? meant.type };
    return one(mine.filter((row) => row.emojiCode === wanted.code && row.reactionType === wanted.type));
  }
  const coded = mine.filter(
    (row) => row.emojiCode === code && (type ?? row.reactionType) === row.reactionType,
  );
  if (coded.length === 0 && !isCode(code, type)) throw new ApiError('BAD_REQUEST', 'Invalid emoji code.');
  // A custom emoji may have the number of a code point.
  return one([...coded.filter((row) => row.emojiName === name), ...coded]);
}

function one([row]: ReactionRow[]): ReactionRow {
  if (!row) throw new ApiError('REACTION_DOES_NOT_EXIST', "Reaction doesn't exist.");
  return row;
}

const isCodeOf: Record<ReactionType, (code: string) => boolean> = {
  unicode_emoji: isUnicodeEmojiCode,
  realm_emoji: (code) => /^\d{1,10}$/.test(code),
  svc_extra_emoji: (code) => code === extraEmoji.code,
};

const isCode = (code: string, type: ReactionType | undefined) =>
  type ? isCodeOf[type](code) : Object.values(isCodeOf).some((isOne) => isOne(code));
