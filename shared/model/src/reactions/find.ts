import { tables, type Tx } from '@parley/db';
import type { Reaction } from '@parley/protocol';
import { inArray } from 'drizzle-orm';

const { reactions } = tables;

export type ReactionRow = typeof reactions.$inferSelect;

/** Reactions by message, in the order in which they were added. */
export async function listReactions(tx: Tx, messageIds: number[]): Promise<Map<number, Reaction[]>> {
  const found = new Map<number, Reaction[]>();
  if (messageIds.length === 0) return found;
  const rows = await tx
    .select()
    .from(reactions)
    .where(inArray(reactions.messageId, messageIds))
    .orderBy(reactions.id);
  for (const row of rows)
    found.set(row.messageId, [...(found.get(row.messageId) ?? []), presentReaction(row)]);
  return found;
}

export const presentReaction = ({ emojiName, emojiCode, reactionType, userId }: ReactionRow): Reaction => ({
  emoji_name: emojiName,
  emoji_code: emojiCode,
  // Safe: what is stored was read as one of them.
  reaction_type: reactionType as Reaction['reaction_type'],
  user_id: userId,
});
