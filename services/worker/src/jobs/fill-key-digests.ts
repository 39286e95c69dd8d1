import * as actions from '@parley/actions';
import { createKeyDigests } from '@parley/http';
import { sum } from '@parley/kit';

import type { RecurringJob } from '../job.ts';

/** The most batches of one run. */
const timesMax = 500;

/** Writes the digests of API keys, by which accounts are found, where a key is new, and all of them when the secret is another. */
export const fillKeyDigestsJob: RecurringJob = {
  name: 'fill-key-digests',
  everySeconds: 60,
  async run({ engine, secrets }) {
    const digests = createKeyDigests(secrets);
    const filled = await engine.sweep((_, realmIds, sql) =>
      actions.users.fillAllKeyDigests(sql, digests, { realmIds, timesMax }),
    );
    return { filled: sum(filled) };
  },
};
