import { type Tx, tables } from '@parley/db';
import { type Actor, hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ActionResult, ApiError, to, events } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockRealm } from '../lock.ts';
import { lockPlaygrounds } from './lock.ts';

/**
 * Removes a playground. Its language ceases to be the realm's default language of code blocks.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for anyone but administrators
 * @throws BAD_REQUEST for a playground that does not exist
 */
export async function remove(tx: Tx, { actor, id }: { actor: Actor; id: number }): Promise<ActionResult> {
  model.permissions.assertAdministrator(actor);
  const rows = await lockPlaygrounds(tx, actor);
  const removed = rows.find((row) => row.id === id);
  if (!removed) throw new ApiError('BAD_REQUEST', 'This code playground does not exist.');
  await tx.delete(tables.playgrounds).where(hasId(tables.playgrounds, actor.realm, removed.id));
  const event = model.playgrounds.playgroundsEvent(rows.filter((row) => row !== removed));
  const { settings } = await lockRealm(tx, actor.realm.id);
  if (settings.default_code_block_language !== removed.language) return { events: [event] };
  await tx
    .update(tables.realms)
    .set({ settings: { ...settings, default_code_block_language: '' } })
    .where(eq(tables.realms.id, actor.realm.id));
  const property = 'default_code_block_language';
  return { events: [event, to.everyone(events.realm.update({ property, value: '' }))], changesRules: true };
}
remove.actionName = 'playgrounds.remove' as const;
