import { tables, type Tx } from '@parley/db';
import { type EmojiRequest, type Actor, completeEmoji, assertUsableEmoji } from '@parley/model';
import { type ActionResult, ApiError } from '@parley/protocol';
import { and, eq, asc } from 'drizzle-orm';

import { lockMessage } from '../messages/index.ts';
import { participate } from '../user-topics/index.ts';
import { reactionEvents } from './events.ts';

const { reactions } = tables;

export interface ReactionRequest extends EmojiRequest {
  message_id: number;
}

export async function add(tx: Tx, actor: Actor, request: ReactionRequest): Promise<ActionResult> {
  // Held: whoever reacts to the same message waits, so that rows are numbered as the log tells of them.
  const access = await lockMessage(tx, actor, request.message_id);
  const meant = await completeEmoji(tx, actor.realm.id, request);
  const { code, type } = meant;
  const [same] = await tx
    .select({ name: reactions.emojiName })
    .from(reactions)
    .where(
      and(
        eq(reactions.messageId, request.message_id),
        eq(reactions.emojiCode, code),
        eq(reactions.reactionType, type),
      ),
    )
    .orderBy(asc(reactions.id))
    .limit(1);
  // Joining a reaction that is there is always possible, whatever has become of its emoji since.
  const emojiName = same?.name ?? (await assertUsableEmoji(tx, actor.realm.id, meant)).name;
  const [row] = await tx
    .insert(reactions)
    .values({
      messageId: request.message_id,
      userId: actor.id,
      emojiName,
      emojiCode: code,
      reactionType: type,
    })
    .onConflictDoNothing()
    .returning();
  if (!row) throw new ApiError('REACTION_ALREADY_EXISTS', 'Reaction already exists.');
  const seen = await participate(tx, actor, access);
  return { events: [...seen, ...(await reactionEvents(tx, actor, 'add', access, row))], keepsRules: true };
}
