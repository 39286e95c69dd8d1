import type { MemberSets } from './matches-queue.ts';
import type { ReadyEntry } from './ready-entry.ts';

/** The audiences that have to be loaded before the entries can be tested. */
export function unloaded(log: Iterable<ReadyEntry>, sets: MemberSets): number[] {
  const missing: number[] = [];
  for (const { audience } of log) {
    for (const id of audience.members ?? []) if (!sets.isLoaded(id)) missing.push(id);
  }
  return missing;
}
