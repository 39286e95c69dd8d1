import * as actions from '@parley/actions';
import { createKeyDigests } from '@parley/http';

import type { RecurringJob } from '../job.ts';

/** The most batches of one run. */
const timesMax = 500;

/** Writes the digests of API keys, by which accounts are found, where a key is new, and all of them when the secret is another. */
export const fillKeyDigestsJob: RecurringJob = {
  name: 'fill-key-digests',
  everySeconds: 60,
  async run({ engine, secrets }) {
    const digests = createKeyDigests(secrets);
    let filled = 0;
    await engine.sweep(async (_, realmIds, sql) => {
      const ofServer = await actions.users.fillAllKeyDigests(sql, digests, { realmIds, timesMax });
      filled += ofServer;
    });
    return { filled };
  },
};
