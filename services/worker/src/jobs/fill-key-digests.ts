import * as actions from '@parley/actions';
import { deriveApiKey, digestApiKey } from '@parley/http';

import type { RecurringJob } from '../job.ts';

/** The most batches of one run. */
const batchesMax = 500;

/** Writes the digests of API keys, by which accounts are found, where a key is new. */
export const fillKeyDigestsJob: RecurringJob = {
  name: 'fill-key-digests',
  everySeconds: 60,
  async run({ engine, secret }) {
    const digestOf = (id: number, generation: number) =>
      digestApiKey(secret, deriveApiKey(secret, id, generation));
    let filled = 0;
    for (let batch = 0; batch < batchesMax; batch += 1) {
      const count = await actions.users.fillKeyDigests(engine.sql, digestOf);
      filled += count;
      if (count === 0) break;
    }
    return { filled };
  },
};
