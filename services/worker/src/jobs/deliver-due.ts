import * as actions from '@parley/actions';
import type { Realm } from '@parley/model';
import * as model from '@parley/model';

import type { JobDeps, OnDemandJob } from '../job.ts';

/** The most messages of one transaction, and the time after which it takes no further one. */
const batchMax = 50;
const batchMsMax = 500;

/** Sends the scheduled messages and the reminders of a user that are due. */
export const deliverDueJob: OnDemandJob = {
  name: 'deliver-due',
  concurrency: 8,
  async run(deps, userId, realmId) {
    const now = new Date(deps.clock.nowMs());
    const db = realmId === undefined ? deps.engine.db : await deps.engine.dbOf(realmId);
    const due = await model.deferred.findDue(db, deps.site, { realmId, userId }, now);
    return {
      ...(due?.hasMessages && (await sendScheduled(deps, due.realm, userId))),
      ...(due?.hasReminders && (await sendReminders(deps, due.realm, userId))),
    };
  },
};

async function sendScheduled({ engine, clock, logger }: JobDeps, realm: Realm, userId: number) {
  const total = { sent: 0, failed: 0 };
  for (;;) {
    const startedMs = clock.nowMs();
    const { sent, failed, errors, isMore } = await engine.deliverScheduled(realm, userId, {
      now: new Date(startedMs),
      max: batchMax,
      isLong: () => clock.nowMs() - startedMs > batchMsMax,
    });
    for (const error of errors) logger.error({ err: error, userId }, 'a scheduled message failed');
    total.sent += sent;
    total.failed += failed;
    if (!isMore) return total;
  }
}

async function sendReminders({ engine, clock }: JobDeps, realm: Realm, userId: number) {
  let total = 0;
  for (;;) {
    const { reminded } = await engine.perform(realm.id, actions.reminders.deliver, {
      realm,
      userId,
      now: new Date(clock.nowMs()),
      max: batchMax,
    });
    total += reminded;
    if (reminded < batchMax) return { reminded: total };
  }
}
