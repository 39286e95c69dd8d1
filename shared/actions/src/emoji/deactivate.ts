import { tables, type Tx } from '@parley/db';
import { type Actor, isAdministrator, emojiState } from '@parley/model';
import { type ActionResult, ApiError, to, events } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { lockRealm } from '../lock.ts';

const { realmEmoji } = tables;

/** Ends the use of a custom emoji. Reactions with it stay, and its name is free. */
export async function deactivate(tx: Tx, actor: Actor, name: string): Promise<ActionResult> {
  // The event has all of the emoji in it: changes of them take turns.
  await lockRealm(tx, actor.realm.id);
  const active = and(
    eq(realmEmoji.realmId, actor.realm.id),
    eq(realmEmoji.name, name),
    eq(realmEmoji.isDeactivated, false),
  );
  const [found] = await tx.select().from(realmEmoji).where(active);
  if (!found) throw new ApiError('NOT_FOUND', `Emoji '${name}' does not exist`);
  if (!isAdministrator(actor) && found.authorId !== actor.id) {
    throw new ApiError('BAD_REQUEST', 'Must be an organization administrator or emoji author');
  }
  await tx.update(realmEmoji).set({ isDeactivated: true }).where(eq(realmEmoji.id, found.id));
  const realm_emoji = await emojiState(tx, actor.realm.id);
  // Texts are written with it.
  return { events: [to.everyone(events.realmEmoji.update({ realm_emoji }))] };
}
