import { tables, type Tx } from '@parley/db';
import type { Reaction } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { isAmong } from '../ids.ts';

const { reactions } = tables;

export type ReactionRow = typeof reactions.$inferSelect;

/** Returns reactions by message id, in the order in which they were added. */
export async function listReactions(
  tx: Tx,
  realmId: number,
  messageIds: number[],
): Promise<Map<number, Reaction[]>> {
  const byMessage = new Map<number, Reaction[]>();
  if (messageIds.length === 0) return byMessage;
  const rows = await tx
    .select()
    .from(reactions)
    .where(and(eq(reactions.realmId, realmId), isAmong(reactions.messageId, messageIds)))
    .orderBy(reactions.id);
  for (const row of rows) {
    const list = byMessage.get(row.messageId);
    if (list) list.push(presentReaction(row));
    else byMessage.set(row.messageId, [presentReaction(row)]);
  }
  return byMessage;
}

export const presentReaction = ({ emojiName, emojiCode, reactionType, userId }: ReactionRow): Reaction => ({
  emoji_name: emojiName,
  emoji_code: emojiCode,
  // Safe: only valid reaction types are stored.
  reaction_type: reactionType as Reaction['reaction_type'],
  user_id: userId,
});
