import { type PartialUploadRow, type Tx, tables } from '@parley/db';
import { and, asc, eq } from 'drizzle-orm';

import type { Actor, Realm } from '../actor.ts';
import { isOfUser } from '../ids.ts';

const { partialUploads, partialUploadPieces } = tables;

/** Returns a user's upload that arrives in pieces, expired or not. */
export async function findPartialUpload(
  tx: Tx,
  user: Pick<Actor, 'id' | 'realm'>,
  id: string,
): Promise<PartialUploadRow | undefined> {
  const isOwn = and(isOfUser(partialUploads, user), eq(partialUploads.id, id));
  const [upload] = id.includes('\0') ? [] : await tx.select().from(partialUploads).where(isOwn);
  return upload;
}

/** Returns the names of the stored pieces of an upload, in their order in the file. */
export async function listPieces(tx: Tx, realm: Pick<Realm, 'id'>, id: string): Promise<string[]> {
  const rows = await tx
    .select({ name: partialUploadPieces.name })
    .from(partialUploadPieces)
    .where(and(eq(partialUploadPieces.realmId, realm.id), eq(partialUploadPieces.uploadId, id)))
    .orderBy(asc(partialUploadPieces.start));
  return rows.map(({ name }) => name);
}
