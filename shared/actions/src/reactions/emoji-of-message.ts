import { tables, type Tx } from '@parley/db';
import type * as model from '@parley/model';
import { limits } from '@parley/protocol';
import { and, asc, eq } from 'drizzle-orm';

const { reactions } = tables;

/** Returns the name with which people have reacted to a message with an emoji; undefined if nobody has. */
export async function findNameOnMessage(
  tx: Tx,
  realmId: number,
  messageId: number,
  { code, type }: Pick<model.emoji.Emoji, 'code' | 'type'>,
): Promise<string | undefined> {
  const [existing] = await tx
    .select({ name: reactions.emojiName })
    .from(reactions)
    .where(
      and(
        eq(reactions.realmId, realmId),
        eq(reactions.messageId, messageId),
        eq(reactions.emojiCode, code),
        eq(reactions.reactionType, type),
      ),
    )
    .orderBy(asc(reactions.id))
    .limit(1);
  return existing?.name;
}

/** Returns whether people may react to a message with one more emoji. */
export async function hasRoomForEmoji(tx: Tx, realmId: number, messageId: number): Promise<boolean> {
  const emojiOfMessage = await tx
    .selectDistinct({ code: reactions.emojiCode, type: reactions.reactionType })
    .from(reactions)
    .where(and(eq(reactions.realmId, realmId), eq(reactions.messageId, messageId)));
  return emojiOfMessage.length < limits.emojiPerMessage;
}
