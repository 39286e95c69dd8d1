import type { Database } from '@parley/db';
import * as model from '@parley/model';
import { gauge } from '@parley/telemetry';

import { shared } from './shared-reading.ts';

const lag = gauge(
  'parley_search_engine_lag_entries',
  'How many entries of a log the search engine lacks, of the organization of which it lacks most',
);
const unfilled = gauge(
  'parley_search_engine_unfilled',
  'Organizations whose older messages the search engine does not have yet',
);

/** Measures how far the search engine is behind, until disposed of. */
export function measureSearchEngine(db: Database): Disposable {
  const read = shared(() => model.messages.findEngineLag(db));
  const watched = [
    lag.watch(async (set) => set((await read()).entries)),
    unfilled.watch(async (set) => set((await read()).unfilled)),
  ];
  return {
    [Symbol.dispose]() {
      for (const one of watched) one[Symbol.dispose]();
    },
  };
}
