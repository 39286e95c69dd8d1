import { type PartialUploadRow, type Tx, tables } from '@parley/db';
import { and, asc, eq } from 'drizzle-orm';

const { partialUploads, partialUploadPieces } = tables;

/** Returns a user's upload that arrives in pieces, expired or not. */
export async function findPartialUpload(
  tx: Tx,
  userId: number,
  id: string,
): Promise<PartialUploadRow | undefined> {
  const isOwn = and(eq(partialUploads.id, id), eq(partialUploads.userId, userId));
  const [upload] = id.includes('\0') ? [] : await tx.select().from(partialUploads).where(isOwn);
  return upload;
}

/** Returns the names of the stored pieces of an upload, in their order in the file. */
export async function listPieces(tx: Tx, id: string): Promise<string[]> {
  const rows = await tx
    .select({ name: partialUploadPieces.name })
    .from(partialUploadPieces)
    .where(eq(partialUploadPieces.uploadId, id))
    .orderBy(asc(partialUploadPieces.start));
  return rows.map(({ name }) => name);
}
