import * as actions from '@parley/actions';

import type { OnDemandJob } from '../job.ts';

/** Steps beyond this number wait for the realm's next turn, behind realms that wait already. */
const stepsMax = 50;

/** Collects the words of a realm's messages, by which searches find their forms. */
export const collectSearchTermsJob: OnDemandJob = {
  name: 'collect-search-terms',
  concurrency: 1,
  async run({ engine }, realmId) {
    const db = await engine.dbOf(realmId);
    for (let steps = 1; ; steps += 1) {
      const { hasMore } = await actions.messages.collectTerms(db, { realmId });
      if (!hasMore || steps === stepsMax) return { steps };
    }
  },
};
