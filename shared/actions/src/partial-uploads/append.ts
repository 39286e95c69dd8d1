import { type Tx, tables } from '@parley/db';
import { type Actor, isOfUser } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { and, eq, gt, isNull } from 'drizzle-orm';

import { type NewAttachment, type UploadQuotas, create } from '../attachments/index.ts';
import { immediately, scheduleDeletion } from '../files/index.ts';

const { partialUploads, partialUploadPieces } = tables;

export interface Piece {
  id: string;
  /** The place of its first byte in the file. */
  start: number;
  bytes: number;
  now: Date;
}

/** The condition that nothing has arrived since `start`. Of two requests that write at one place, one finds it. */
const isExpected = (actor: Actor, { id, start, now }: Piece) =>
  and(
    isOfUser(partialUploads, actor),
    eq(partialUploads.id, id),
    eq(partialUploads.received, start),
    isNull(partialUploads.pathId),
    gt(partialUploads.expiresAt, now),
  );

/** Records a piece that is stored under a name. False if another piece came first, or the upload has expired. */
export async function append(
  tx: Tx,
  { actor, piece }: { actor: Actor; piece: Piece & { name: string } },
): Promise<ActionResult & { isAppended: boolean }> {
  const { id, start, bytes, name } = piece;
  const updated = await tx
    .update(partialUploads)
    .set({ received: start + bytes })
    .where(isExpected(actor, piece))
    .returning({ id: partialUploads.id });
  if (updated.length > 0)
    await tx.insert(partialUploadPieces).values({ realmId: actor.realm.id, uploadId: id, start, name });
  return { events: [], isAppended: updated.length > 0 };
}
append.actionName = 'partialUploads.append' as const;

/**
 * Makes an upload of the pieces, of which the last has arrived. Nothing changes, and `isFinished` is false, if another
 * piece came first or the upload has expired.
 *
 * @throws REALM_UPLOAD_QUOTA when the uploads of the realm or of the actor would take more than a quota
 */
export async function finish(
  tx: Tx,
  {
    actor,
    piece,
    upload,
    quotas,
  }: { actor: Actor; piece: Piece; upload: NewAttachment; quotas: UploadQuotas },
): Promise<ActionResult & { isFinished: boolean }> {
  const { id, start, bytes } = piece;
  const updated = await tx
    .update(partialUploads)
    .set({ received: start + bytes, pathId: upload.pathId })
    .where(isExpected(actor, piece))
    .returning({ id: partialUploads.id });
  if (updated.length === 0) return { events: [], isFinished: false };
  await tx
    .delete(partialUploadPieces)
    .where(and(eq(partialUploadPieces.realmId, actor.realm.id), eq(partialUploadPieces.uploadId, id)));
  await scheduleDeletion(tx, {
    folder: model.files.partialUploadFolder(actor.realm.id, id),
    removeAfter: immediately,
  });
  return { ...(await create(tx, { actor, file: upload, quotas })), isFinished: true };
}
finish.actionName = 'partialUploads.finish' as const;
