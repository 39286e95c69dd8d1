import * as actions from '@parley/actions';
import { isDatabaseUnavailable } from '@parley/db';

import type { JobDeps, OnDemandJob } from '../job.ts';
import { enqueueDue } from '../notifications/enqueue-due.ts';

/** Portions of a log beyond this number wait for the realm's next turn, behind realms that wait already. */
const portionsMax = 20;
/** How much of a log is looked at in one transaction. Where that takes too long, very many people are notified. */
const sizes = [
  { entriesMax: 500, seconds: 3 },
  { entriesMax: 25, seconds: 3 },
  { entriesMax: 1, seconds: 60 },
] as const;

/** Decides whom to notify of what is new in a realm, and enqueues jobs for those who are to be told at once. */
export const notifyRealmJob: OnDemandJob = {
  name: 'notify-realm',
  // Each may hold one of the worker's four connections for as long as its statements may take.
  concurrency: 3,
  async run(deps, realmId) {
    const now = new Date(deps.clock.nowMs());
    const done = { portions: 0, enqueued: 0 };
    for (let step = 0; done.portions < portionsMax;) {
      try {
        const { due, hasMore } = await advance(deps, { realmId, ...(sizes[step] ?? sizes[2]) }, now);
        enqueueDue(deps.queues, due);
        done.portions += 1;
        done.enqueued += due.length;
        if (!hasMore) break;
      } catch (error) {
        step += 1;
        if (step >= sizes.length || !isDatabaseUnavailable(error)) throw error;
      }
    }
    return done;
  },
};

async function advance({ engine, mailer, push }: JobDeps, portion: actions.notifications.Portion, now: Date) {
  const channels = { canMail: mailer.isAvailable, services: push.services };
  return await actions.notifications.advance(await engine.dbOf(portion.realmId), portion, channels, now);
}
