import * as actions from '@parley/actions';

import type { OnDemandJob } from '../job.ts';

/** Steps beyond this number wait for the realm's next turn, behind realms that wait already. */
const stepsMax = 50;

/** Measures the weekly traffic of a realm's channels, or counts a part of what is needed for it. */
export const measureTrafficJob: OnDemandJob = {
  name: 'measure-traffic',
  concurrency: 2,
  async run({ engine, clock }, realmId) {
    const now = new Date(clock.nowMs());
    const db = await engine.dbOf(realmId);
    for (let steps = 1; ; steps += 1) {
      const { hasMore } = await actions.channels.measureTraffic(db, { realmId, now });
      if (!hasMore || steps === stepsMax) return { steps, isMeasured: hasMore ? 0 : 1 };
    }
  },
};
