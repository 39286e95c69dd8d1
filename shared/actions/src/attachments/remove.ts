import { tables, type Tx, type AttachmentRow } from '@parley/db';
import { type Actor, isBigId, hasId } from '@parley/model';
import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { scheduleDeletion, immediately } from '../files/index.ts';
import { addUploadUsage } from './usage.ts';

const { attachments } = tables;

/**
 * Deletes an upload of the actor's. Links to it stay in messages and lead nowhere.
 *
 * @throws BAD_REQUEST when the actor owns no such upload
 */
export async function remove(tx: Tx, { actor, id }: { actor: Actor; id: number }) {
  const isOwn = and(
    eq(attachments.id, id),
    eq(attachments.realmId, actor.realm.id),
    eq(attachments.ownerId, actor.id),
  );
  const [row] = isBigId(id) ? await tx.select().from(attachments).where(isOwn).for('update') : [];
  if (!row) throw new ApiError('BAD_REQUEST', 'This file does not exist.');
  return await deleteAttachment(tx, row);
}
remove.actionName = 'attachments.remove' as const;

/**
 * Deletes an upload whose row the transaction has locked. A transaction deletes one upload at a time: those that refer
 * to uploads lock several, in the order of ids, and none that waits for one has locked the head of the log.
 */
export async function deleteAttachment(tx: Tx, row: AttachmentRow) {
  await tx.delete(attachments).where(hasId(attachments, { id: row.realmId }, row.id));
  await addUploadUsage(tx, row.realmId, -row.size);
  await scheduleDeletion(tx, {
    folder: model.files.uploadPlace(row.pathId).folder,
    removeAfter: immediately,
  });
  return { events: [model.attachments.attachmentRemovedEvent(row)] };
}
