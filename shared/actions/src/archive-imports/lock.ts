import { type ArchiveImportRow, type Tx, tables } from '@parley/db';
import { hasId } from '@parley/model';
import { ApiError } from '@parley/protocol';

import { lockName } from '../lock.ts';

const { archiveImports } = tables;

/** Locks the list of a realm's imports until the end of the transaction: at most one of them goes on at a time. */
export const lockImports = (tx: Tx, realm: { id: number }) => lockName(tx, 'list', realm.id, 'imports');

/** Locks an import of a realm until the end of the transaction, and reads it. */
export async function lockImport(
  tx: Tx,
  realm: { id: number },
  id: number,
): Promise<ArchiveImportRow | undefined> {
  const isThis = hasId(archiveImports, realm, id);
  return (await tx.select().from(archiveImports).where(isThis).for('no key update'))[0];
}

/** Returns whether nobody has gone on in time with an import that waits for that. */
export const isAbandoned = ({ status, expiresAt }: ArchiveImportRow, now: Date): boolean =>
  (status === 'uploading' || status === 'planned') && expiresAt <= now;

export const noSuchImport = () => new ApiError('BAD_REQUEST', 'This import does not exist.');
