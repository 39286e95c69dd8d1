import { tables, type Tx } from '@parley/db';
import { lte, asc } from 'drizzle-orm';

const { orphanedFolders } = tables;

/** Returns the folders of the file store that are due for deletion, those that have waited longest first. */
export async function listDueFolderDeletions(tx: Tx, now: Date, limit: number): Promise<string[]> {
  const due = await tx
    .select({ folder: orphanedFolders.folder })
    .from(orphanedFolders)
    .where(lte(orphanedFolders.removeAfter, now))
    .orderBy(asc(orphanedFolders.removeAfter))
    .limit(limit);
  return due.map(({ folder }) => folder);
}
