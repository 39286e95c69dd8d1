import * as actions from '@parley/actions';
import { sum } from '@parley/kit';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/** Mails beyond this number wait for the next run. */
const perRunMax = 1000;

/** Enqueues jobs again for mails that are not sent, and removes those for which it is too late, and old invitations and sessions. */
export const sweepMailsJob: RecurringJob = {
  name: 'sweep-mails',
  everySeconds: 60,
  async run({ engine, queues, clock }) {
    const now = new Date(clock.nowMs());
    const enqueued = await engine.sweep(async (db, realmIds) => {
      await actions.mails.removeExpired(db, now, realmIds);
      await actions.invitations.forgetOld(db, now.getTime(), realmIds);
      await actions.sessions.removeExpired(db, now, realmIds);
      const due = await model.mails.listDueMails(db, { now, realmIds }, perRunMax);
      for (const mail of due) queues.enqueue({ name: 'send-mail', ...mail });
      return due.length;
    });
    return { enqueued: sum(enqueued) };
  },
};
