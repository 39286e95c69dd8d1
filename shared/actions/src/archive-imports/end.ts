import { type ArchiveImportRow, type Tx, tables } from '@parley/db';
import { hasId } from '@parley/model';
import * as model from '@parley/model';
import { type ImportRefusal, refusalSentence } from '@parley/protocol';
import { and, eq } from 'drizzle-orm';

import { immediately, scheduleDeletion } from '../files/index.ts';

const { archiveImportPieces, archiveImports } = tables;

interface Ending extends Partial<Pick<ArchiveImportRow, 'report'>> {
  status: 'done' | 'failed' | 'cancelled';
  /** Why it has failed. */
  refusal?: ImportRefusal;
  now: Date;
}

/** Ends an import, whichever way, and has its archive deleted. */
export async function end(
  tx: Tx,
  { realmId, id, uploadId }: Pick<ArchiveImportRow, 'realmId' | 'id' | 'uploadId'>,
  { now, refusal, ...ending }: Ending,
): Promise<void> {
  await tx
    .update(archiveImports)
    .set({
      ...ending,
      ...(refusal && { failure: refusalSentence(refusal), failureReason: refusal }),
      endedAt: now,
      leasedUntil: null,
      progress: null,
    })
    .where(hasId(archiveImports, { id: realmId }, id));
  await tx
    .delete(archiveImportPieces)
    .where(and(eq(archiveImportPieces.realmId, realmId), eq(archiveImportPieces.importId, id)));
  const folder = model.files.importFolder(realmId, uploadId);
  await scheduleDeletion(tx, { folder, removeAfter: immediately });
}
