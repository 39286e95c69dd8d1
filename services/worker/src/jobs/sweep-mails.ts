import * as actions from '@parley/actions';
import * as model from '@parley/model';

import type { RecurringJob } from '../job.ts';

/** Mails beyond this number wait for the next run. */
const perRunMax = 1000;

/** Enqueues jobs again for mails that are not sent, and removes those for which it is too late, and old invitations and sessions. */
export const sweepMailsJob: RecurringJob = {
  name: 'sweep-mails',
  everySeconds: 60,
  async run({ engine: { db }, queues, clock }) {
    const now = new Date(clock.nowMs());
    await actions.mails.removeExpired(db, now);
    await actions.invitations.forgetOld(db, now.getTime());
    await actions.sessions.removeExpired(db, now);
    const due = await model.mails.listDueMails(db, now, perRunMax);
    for (const id of due) queues.enqueue({ name: 'send-mail', id });
    return { enqueued: due.length };
  },
};
