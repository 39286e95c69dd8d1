import { type Tx, tables } from '@parley/db';
import { assertAdministrator } from '@parley/model';
import { type Actor, playgroundsEvent } from '@parley/model';
import { type ActionResult, ApiError, to, events } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import { lockRealm } from '../lock.ts';
import { lockPlaygrounds } from './lock.ts';

/** Removes a playground. Code without a language is no longer taken to be of its language. */
export async function remove(tx: Tx, actor: Actor, id: number): Promise<ActionResult> {
  assertAdministrator(actor);
  const rows = await lockPlaygrounds(tx, actor);
  const gone = rows.find((row) => row.id === id);
  if (!gone) throw new ApiError('BAD_REQUEST', 'Invalid playground');
  await tx.delete(tables.playgrounds).where(eq(tables.playgrounds.id, gone.id));
  const told = playgroundsEvent(rows.filter((row) => row !== gone));
  const { settings } = await lockRealm(tx, actor.realm.id);
  if (settings.default_code_block_language !== gone.language) return { events: [told], keepsRules: true };
  await tx
    .update(tables.realms)
    .set({ settings: { ...settings, default_code_block_language: '' } })
    .where(eq(tables.realms.id, actor.realm.id));
  const property = 'default_code_block_language';
  return { events: [told, to.everyone(events.realm.update({ property, value: '' }))] };
}
