import { type Tx, tables } from '@parley/db';
import type { Actor } from '@parley/model';
import * as model from '@parley/model';
import type { ActionResult } from '@parley/protocol';
import { and, eq, gt, isNull } from 'drizzle-orm';

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
    eq(partialUploads.id, id),
    eq(partialUploads.userId, actor.id),
    eq(partialUploads.received, start),
    isNull(partialUploads.pathId),
    gt(partialUploads.expiresAt, now),
  );

/** Records a piece that is stored under a name. False if another piece came first, or the upload has expired. */
export async function append(
  tx: Tx,
  actor: Actor,
  piece: Piece & { name: string },
): Promise<ActionResult & { isAppended: boolean }> {
  const { id, start, bytes, name } = piece;
  const updated = await tx
    .update(partialUploads)
    .set({ received: start + bytes })
    .where(isExpected(actor, piece))
    .returning({ id: partialUploads.id });
  if (updated.length > 0) await tx.insert(partialUploadPieces).values({ uploadId: id, start, name });
  return { events: [], keepsRules: true, isAppended: updated.length > 0 };
}

/**
 * Records that the last piece has arrived, and which upload the pieces have become. False if another piece came first, or
 * the upload has expired.
 */
export async function finish(tx: Tx, actor: Actor, piece: Piece & { pathId: string }): Promise<boolean> {
  const { id, start, bytes, pathId } = piece;
  const updated = await tx
    .update(partialUploads)
    .set({ received: start + bytes, pathId })
    .where(isExpected(actor, piece))
    .returning({ id: partialUploads.id });
  if (updated.length === 0) return false;
  await tx.delete(partialUploadPieces).where(eq(partialUploadPieces.uploadId, id));
  await scheduleDeletion(tx, model.files.partialUploadFolder(actor.realm.id, id), immediately);
  return true;
}
