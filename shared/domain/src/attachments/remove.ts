import { type Tx, tables } from '@parley/db';
import { ApiError } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import type { Actor } from '../actor.ts';
import { atOnce, loosen } from '../files/loose.ts';
import { uploadPlace } from '../files/places.ts';
import { isId } from '../ids.ts';
import { type AttachmentRow, draftRemoval } from './present.ts';
import { addUsage } from './usage.ts';

const { attachments } = tables;

/** Deletes an upload of the actor's. Links to it stay in messages and lead nowhere. */
export async function remove(tx: Tx, actor: Actor, id: number) {
  const mine = and(
    eq(attachments.id, id),
    eq(attachments.realmId, actor.realm.id),
    eq(attachments.ownerId, actor.id),
  );
  const [row] = isId(id) ? await tx.select().from(attachments).where(mine).for('update') : [];
  if (!row) throw new ApiError('BAD_REQUEST', 'Invalid attachment');
  return await deleteRow(tx, row);
}

/**
 * Deletes an upload whose row the transaction holds. Of one upload alone: whoever refers to uploads holds several, in
 * the order of ids, and nobody who waits for one holds the head of the log.
 */
export async function deleteRow(tx: Tx, row: AttachmentRow) {
  await tx.delete(attachments).where(eq(attachments.id, row.id));
  await addUsage(tx, row.realmId, -row.size);
  await loosen(tx, uploadPlace(row.pathId).folder, atOnce);
  return { events: [draftRemoval(row)], keepsRules: true };
}
