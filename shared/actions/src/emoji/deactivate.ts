import { tables, type Tx } from '@parley/db';
import { type Actor, isAdministrator, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, to, events } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { lockRealm } from '../lock.ts';

const { realmEmoji } = tables;

/**
 * Deactivates a custom emoji. Reactions with it stay, and its name is free for another.
 *
 * @throws BAD_REQUEST with status 404 when there is no active emoji of this name
 * @throws BAD_REQUEST for anyone but administrators and the emoji's author
 */
export async function deactivate(
  tx: Tx,
  { actor, name }: { actor: Actor; name: string },
): Promise<ActionResult> {
  // The event lists all custom emoji, so changes of them take turns.
  await lockRealm(tx, actor.realm.id);
  const active = and(
    eq(realmEmoji.realmId, actor.realm.id),
    eq(realmEmoji.name, name),
    eq(realmEmoji.isDeactivated, false),
  );
  const [emoji] = await tx.select().from(realmEmoji).where(active);
  if (!emoji) throw ApiError.missing(`There is no emoji called '${name}'.`);
  if (!isAdministrator(actor) && emoji.authorId !== actor.id) {
    throw new ApiError('BAD_REQUEST', 'Only administrators and whoever added the emoji can do this.');
  }
  await tx
    .update(realmEmoji)
    .set({ isDeactivated: true })
    .where(hasId(realmEmoji, actor.realm, emoji.id));
  const realm_emoji = await model.emoji.emojiState(tx, actor.realm.id);
  // Emoji are among the rules: plans for sending remember how texts are rendered.
  return { events: [to.everyone(events.realmEmoji.update({ realm_emoji }))], changesRules: true };
}
deactivate.actionName = 'emoji.deactivate' as const;
