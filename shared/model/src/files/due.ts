import { tables, type Tx } from '@parley/db';
import { lte, asc } from 'drizzle-orm';

const { looseFolders } = tables;

/** Folders to be removed, those that have waited longest first. */
export async function listDueDeletions(tx: Tx, now: Date, limit: number): Promise<string[]> {
  const due = await tx
    .select({ folder: looseFolders.folder })
    .from(looseFolders)
    .where(lte(looseFolders.removeAfter, now))
    .orderBy(asc(looseFolders.removeAfter))
    .limit(limit);
  return due.map(({ folder }) => folder);
}
