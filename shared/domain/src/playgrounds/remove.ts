import { type Tx, tables } from '@parley/db';
import { type ActionResult, ApiError, events, to } from '@parley/protocol';
import { eq } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { getLockedRealm } from '../realms/find.ts';
import { lockPlaygrounds } from './find.ts';
import { draftOfPlaygrounds } from './present.ts';

/** Removes a playground. Code without a language is no longer taken to be of its language. */
export async function remove(tx: Tx, actor: Actor, id: number): Promise<ActionResult> {
  const rows = await lockPlaygrounds(tx, actor);
  const gone = rows.find((row) => row.id === id);
  if (!gone) throw new ApiError('BAD_REQUEST', 'Invalid playground');
  await tx.delete(tables.playgrounds).where(eq(tables.playgrounds.id, gone.id));
  const told = draftOfPlaygrounds(rows.filter((row) => row !== gone));
  const { settings } = await getLockedRealm(tx, actor.realm.id);
  if (settings.default_code_block_language !== gone.language) return { events: [told], keepsRules: true };
  await tx
    .update(tables.realms)
    .set({ settings: { ...settings, default_code_block_language: '' } })
    .where(eq(tables.realms.id, actor.realm.id));
  const property = 'default_code_block_language';
  return { events: [told, to.everyone(events.realm.update({ property, value: '' }))] };
}
