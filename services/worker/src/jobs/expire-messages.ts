import * as actions from '@parley/actions';
import { sum } from '@parley/kit';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';

import type { JobDeps, RecurringJob } from '../job.ts';

/** The most messages that one transaction deletes. */
const batchMax = 500;
/** The most batches of one place in one run, and the most places. What is more waits for the next run. */
const batchesMax = 100;
const placesMax = 2000;

/** Deletes messages that are older than the retention time of their channel or organization. */
export const expireMessagesJob: RecurringJob = {
  name: 'expire-messages',
  everySeconds: 3600,
  async run(deps) {
    const now = new Date(deps.clock.nowMs());
    const done = await deps.engine.sweep(async (db, realmIds) => {
      let batches = 0;
      const places = await model.messages.listExpiredPlaces(db, { now, realmIds }, placesMax);
      for (const { realmId, place } of places) {
        const realm = model.realms.realmAt(await model.realms.getRealm(db, realmId), deps.site);
        const ofPlace = realm ? await expirePlace(deps, realm, place, now) : 0;
        batches += ofPlace;
      }
      return { places: places.length, batches };
    });
    return {
      places: sum(done.map(({ places }) => places)),
      batches: sum(done.map(({ batches }) => batches)),
    };
  },
};

/** Deletes batch by batch; answers with their number. */
async function expirePlace({ engine }: JobDeps, realm: Realm, place: model.messages.ExpiredPlace, now: Date) {
  for (let batches = 0; batches < batchesMax; batches += 1) {
    const { events } = await engine.perform(realm.id, actions.messages.expire, {
      realm,
      place,
      now,
      max: batchMax,
    });
    if (events.length === 0) return batches;
  }
  return batchesMax;
}
