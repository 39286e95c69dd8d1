import { tables, type Tx } from '@parley/db';
import { sql, inArray } from 'drizzle-orm';

const { orphanedFolders } = tables;

/** For folders that nobody waits for. */
export const immediately = new Date(0);

/**
 * Says that a folder of the store has no row, and until when it may stay. Before it is filled, so that nothing is left
 * behind by a node that dies in between; and in the transaction that deletes its row.
 */
export async function scheduleDeletion(tx: Tx, folder: string, removeAfter: Date): Promise<void> {
  await tx
    .insert(orphanedFolders)
    .values({ folder, removeAfter })
    .onConflictDoUpdate({ target: orphanedFolders.folder, set: { removeAfter: sql`excluded.remove_after` } });
}

/** A row refers to the folder from here on, or it is gone. */
export async function cancelDeletion(tx: Tx, folders: string[]): Promise<void> {
  if (folders.length > 0) await tx.delete(orphanedFolders).where(inArray(orphanedFolders.folder, folders));
}
