import * as model from '@parley/model';

import type { JobDeps } from './job.ts';

/**
 * Returns the realm of what a job is about; undefined if that is no more. A node of an older version does not say it: then
 * each server is asked, and one that is away matters only if no other has it.
 */
export async function realmOfJob(
  engine: JobDeps['engine'],
  kind: model.dueWork.JobAbout,
  { id, realmId }: { id: number; realmId: number | undefined },
): Promise<number | undefined> {
  if (realmId !== undefined) return realmId;
  // All servers but one answer that they have none.
  const found: number[] = [];
  try {
    await engine.sweep(async (db, realmIds) => {
      const holder = await model.dueWork.findRealmOfJob(db, kind, { id, realmIds });
      if (holder !== undefined) found.push(holder);
    });
  } catch (error) {
    if (found.length === 0) throw error;
  }
  return found[0];
}
