import type { MemberSets } from './matches-queue.ts';
import type { ReadyEntry } from './ready-entry.ts';

/**
 * Returns ids of the audiences that have to be loaded before the entries can be matched with queues and rendered for them.
 */
export function missingAudiences(log: Iterable<ReadyEntry>, sets: MemberSets): number[] {
  const missing: number[] = [];
  for (const { audience, listed } of log) {
    for (const id of audience.members ?? []) if (!sets.isLoaded(id)) missing.push(id);
    if (listed !== null && !sets.isLoaded(listed)) missing.push(listed);
  }
  return missing;
}
