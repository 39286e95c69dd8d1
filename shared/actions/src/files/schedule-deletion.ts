import { tables, type Tx } from '@parley/db';
import { sql, inArray } from 'drizzle-orm';

const { orphanedFolders } = tables;

/** The deadline of folders that nothing will refer to. */
export const immediately = new Date(0);

/**
 * Records that no row refers to a folder of the file store, and until when the folder may stay. This is done before a
 * folder is filled, so that a node that dies in between leaves nothing behind, and in the transaction that deletes the
 * folder's row.
 */
export async function scheduleDeletion(
  tx: Tx,
  { folder, removeAfter }: { folder: string; removeAfter: Date },
): Promise<object> {
  await tx
    .insert(orphanedFolders)
    .values({ folder, removeAfter })
    .onConflictDoUpdate({ target: orphanedFolders.folder, set: { removeAfter: sql`excluded.remove_after` } });
  return {};
}
scheduleDeletion.actionName = 'files.scheduleDeletion' as const;

/** Removes folders from the list of deletions: a row refers to each of them from now on, or it is deleted. */
export async function cancelDeletion(tx: Tx, folders: string[]): Promise<void> {
  if (folders.length > 0) await tx.delete(orphanedFolders).where(inArray(orphanedFolders.folder, folders));
}
