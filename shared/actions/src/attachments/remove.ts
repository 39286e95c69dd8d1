import { tables, type Tx, type AttachmentRow } from '@parley/db';
import { type Actor, isId, uploadPlace, attachmentRemovedEvent } from '@parley/model';
import { ApiError } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { scheduleDeletion, immediately } from '../files/index.ts';
import { addUploadUsage } from './usage.ts';

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
  return await deleteAttachment(tx, row);
}

/**
 * Deletes an upload whose row the transaction holds. Of one upload alone: whoever refers to uploads holds several, in
 * the order of ids, and nobody who waits for one holds the head of the log.
 */
export async function deleteAttachment(tx: Tx, row: AttachmentRow) {
  await tx.delete(attachments).where(eq(attachments.id, row.id));
  await addUploadUsage(tx, row.realmId, -row.size);
  await scheduleDeletion(tx, uploadPlace(row.pathId).folder, immediately);
  return { events: [attachmentRemovedEvent(row)], keepsRules: true };
}
