import * as actions from '@parley/actions';
import { sum } from '@parley/kit';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/** Accounts beyond this number wait for the next run. */
const perRunMax = 1000;

/** Turns accounts whose waiting period has ended into full members. */
export const fullMembersJob: RecurringJob = {
  name: 'full-members',
  everySeconds: 60,
  async run({ engine, site, clock }) {
    const now = new Date(clock.nowMs());
    const ended = await engine.sweep(async (db, realmIds) => {
      const waiting = await model.users.listAccountsPastWaitingPeriod(db, { now, realmIds }, perRunMax);
      const realms = new Map(waiting.map(({ realm }) => [realm.id, realm]));
      for (const row of realms.values()) {
        const realm = model.realms.realmAt(row, site);
        const ids = waiting.filter((user) => user.realm.id === row.id).map(({ id }) => id);
        if (realm) {
          await engine.perform(realm.id, actions.users.endWaitingPeriods, { realm, userIds: ids, now });
        }
      }
      return waiting.length;
    });
    return { ended: sum(ended) };
  },
};
