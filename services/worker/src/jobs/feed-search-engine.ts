import * as actions from '@parley/actions';
import { type Database, isDatabaseError } from '@parley/db';
import { backoffMs } from '@parley/kit';
import { IndexMissing, type SearchEngine } from '@parley/search';

import type { JobDeps, OnDemandJob } from '../job.ts';

/** Steps beyond this number wait for the realm's next turn, behind realms that wait already. */
const stepsMax = 20;
/** Messages of which all words are in memory at once. */
const documentsAtOnce = 200;
const backoff = { firstMs: 1000, maxMs: 300_000 };

/** Feeds the search engine with what is new in a realm, and with older messages that it does not have yet. */
export const feedSearchEngineJob: OnDemandJob = {
  name: 'feed-search-engine',
  concurrency: 2,
  async run(deps, realmId) {
    const { engine, search } = deps;
    const done = { steps: 0, documents: 0, failed: 0 };
    if (!search) return done;
    const db = await engine.dbOf(realmId);
    while (done.steps < stepsMax && search.isAvailable) {
      const step = await actions.searchEngine.planStep(db, realmId);
      if (!step) break;
      done.steps += 1;
      if (!('cursor' in step)) {
        // The client has said what is wrong, and is asked again in a while.
        const index = await search.ensureIndex().catch(() => null);
        if (index === null) return { ...done, failed: 1 };
        await actions.searchEngine.begin(db, { realmId, index, stale: step.stale });
        continue;
      }
      const isTaken = await take({ db, clock: deps.clock }, search, step);
      if (isTaken) done.documents += step.ids.length;
      else done.failed += 1;
      if (!isTaken || !step.hasMore) break;
    }
    return done;
  },
};

/** Takes a step, and answers whether the engine has it. One that fails is put off; without an index, all begins anew. */
async function take(
  { db, clock }: Pick<JobDeps, 'clock'> & { db: Database },
  search: SearchEngine,
  { cursor, to, ids }: actions.searchEngine.Step,
): Promise<boolean> {
  const { realmId } = cursor;
  try {
    for (let from = 0; from < ids.length; from += documentsAtOnce) {
      const some = ids.slice(from, from + documentsAtOnce);
      const documents = await actions.searchEngine.listDocuments(db, realmId, some);
      await search.write(cursor, documents);
    }
  } catch (error) {
    if (isDatabaseError(error)) throw error;
    if (error instanceof IndexMissing) await actions.searchEngine.forget(db, realmId);
    else {
      const retryAt = new Date(clock.nowMs() + backoffMs(cursor.attempts, backoff));
      await actions.searchEngine.postpone(db, cursor, retryAt);
    }
    return false;
  }
  await actions.searchEngine.advance(db, cursor, to);
  return true;
}
