import * as actions from '@parley/actions';
import { createKeyDigests } from '@parley/http';

import type { RecurringJob } from '../job.ts';

/** The most batches of one run. */
const batchesMax = 500;

/** Writes the digests of API keys, by which accounts are found, where a key is new, and all of them when the secret is another. */
export const fillKeyDigestsJob: RecurringJob = {
  name: 'fill-key-digests',
  everySeconds: 60,
  async run({ engine, secrets }) {
    const digests = createKeyDigests(secrets);
    let filled = 0;
    for (let batch = 0; batch < batchesMax; batch += 1) {
      const count = await actions.users.fillKeyDigests(engine.sql, digests);
      filled += count;
      if (count === 0) break;
    }
    return { filled };
  },
};
