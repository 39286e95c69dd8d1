import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/**
 * Merges what was sent since the last time into the indexes of searches. Until then every search looks through all of it, in
 * all organizations.
 */
export const mergeSearchIndexesJob: RecurringJob = {
  name: 'merge-search-indexes',
  everySeconds: 1,
  async run({ engine }) {
    await engine.atEachServer((db) => model.messages.mergeSearchIndexes(db));
    return {};
  },
};
