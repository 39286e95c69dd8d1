import * as actions from '@parley/actions';
import * as model from '@parley/model';

import type { OnDemandJob } from '../job.ts';
import { confirmEmailMail } from '../mail/confirm-email.ts';

/** Sends the mail that asks for the confirmation of a new email address. */
export const confirmEmailJob: OnDemandJob = {
  name: 'confirm-email',
  concurrency: 4,
  async run({ engine: { db }, site, mailer, secrets: [secret], clock }, id) {
    const change = await model.emailChanges.findEmailChangeMail(db, site, id, new Date(clock.nowMs()));
    if (!change) return { sent: 0 };
    await actions.emailChanges.attemptMail(db, id, clock.nowMs());
    const link = `${change.realm.url}${model.emailChanges.emailChangePath}/${model.emailChanges.emailChangeKey(secret, id)}`;
    await mailer.send(await confirmEmailMail(change, link));
    await actions.emailChanges.markMailed(db, id);
    return { sent: 1 };
  },
};
