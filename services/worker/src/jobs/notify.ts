import * as actions from '@parley/actions';
import { isDatabaseUnavailable } from '@parley/db';
import * as model from '@parley/model';

import type { JobDeps, RecurringJob } from '../job.ts';

/** Portions of one realm's log beyond this number wait for the next run, and due rows beyond the other. */
const portionsMax = 20;
const dueRowsMax = 2000;
/** How much of a log is looked at in one transaction. Where that takes too long, very many people are notified. */
const sizes = [
  { entriesMax: 500, seconds: 3 },
  { entriesMax: 25, seconds: 3 },
  { entriesMax: 1, seconds: 60 },
] as const;

/** Decides whom to notify of new messages, and enqueues jobs for notifications that are due. */
export const notifyJob: RecurringJob = {
  name: 'notify',
  everySeconds: 1,
  async run(deps) {
    const { engine, queues, clock, logger } = deps;
    const now = new Date(clock.nowMs());
    let portions = 0;
    for (const realm of await model.notifications.listRealmsWithNews(engine.db)) {
      // What fails in one organization keeps no other waiting.
      portions += await catchUp(deps, realm, now).catch((error: unknown) => {
        logger.error({ err: error, realm: realm.realmId }, 'notifications failed');
        return 0;
      });
    }
    await actions.notifications.postpone(engine.db, now);
    const due = await model.notifications.listDueNotifications(engine.db, now, dueRowsMax);
    for (const { id, kind } of due) {
      queues.enqueue({ name: kind === 'mail' ? 'send-missed-messages' : 'send-push', id });
    }
    return { portions, enqueued: due.length };
  },
};

interface RealmWithNews {
  realmId: number;
  headSeq: number;
}

async function catchUp({ engine, mailer, push }: JobDeps, realm: RealmWithNews, now: Date): Promise<number> {
  const channels = { canMail: mailer.isAvailable, services: push.services };
  let step = 0;
  for (let portion = 1; portion <= portionsMax;) {
    try {
      const input = { ...realm, ...(sizes[step] ?? sizes[2]) };
      const { hasMore } = await actions.notifications.advance(engine.db, input, channels, now);
      if (!hasMore) return portion;
      portion += 1;
    } catch (error) {
      step += 1;
      if (step >= sizes.length || !isDatabaseUnavailable(error)) throw error;
    }
  }
  return portionsMax;
}
