import * as actions from '@parley/actions';
import { sum } from '@parley/kit';
import type { SearchEngine } from '@parley/search';

import type { JobDeps, RecurringJob } from '../job.ts';

/** So many removals are enough for one run: each takes a good many documents. */
const removalsMax = 20;

/**
 * Removes what the search engine has of organizations that are gone or were begun anew, and has those begun anew whose index
 * is gone.
 */
export const sweepSearchEngineJob: RecurringJob = {
  name: 'sweep-search-engine',
  everySeconds: 60,
  async run(deps) {
    const { engine, search } = deps;
    if (!search?.isAvailable) return { forgotten: 0, removed: 0 };
    const indexes = await search.listIndexes().catch(() => null);
    if (indexes === null) return { forgotten: 0, removed: 0 };
    const forgotten = await engine.sweep((db, realmIds) =>
      actions.searchEngine.forgetOtherIndexes(db, indexes, realmIds),
    );
    let removed = 0;
    for (const index of indexes) removed += await sweepIndex(deps, search, index);
    return { forgotten: sum(forgotten), removed };
  },
};

async function sweepIndex({ engine: { db } }: JobDeps, search: SearchEngine, index: string): Promise<number> {
  let removed = 0;
  let removals = 0;
  for (let after: string | null = null; ;) {
    // Whoever begins a generation has said so before the index has any of it: those that nobody knows are over.
    const generations: readonly string[] = await search.listGenerations(index, after);
    for (const one of await actions.searchEngine.listUnknown(db, generations)) {
      for (let count = 1; count > 0 && removals < removalsMax; removals += 1) {
        count = await search.removeGeneration(index, one);
        removed += count;
      }
    }
    after = generations.at(-1) ?? null;
    if (after === null || removals >= removalsMax) return removed;
  }
}
