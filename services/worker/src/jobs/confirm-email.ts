import * as actions from '@parley/actions';
import * as model from '@parley/model';

import type { OnDemandJob } from '../job.ts';
import { confirmEmailMail } from '../mail/confirm-email.ts';
import { realmOfJob } from '../realm-of-job.ts';

/** Sends the mail that asks for the confirmation of a new email address. */
export const confirmEmailJob: OnDemandJob = {
  name: 'confirm-email',
  concurrency: 4,
  async run({ engine, site, mailer, secrets: [secret], clock }, id, said) {
    const realmId = await realmOfJob(engine, 'emailChanges', { id, realmId: said });
    if (realmId === undefined) return { sent: 0 };
    const db = await engine.dbOf(realmId);
    const of = { realmId, id };
    const change = await model.emailChanges.findEmailChangeMail(db, site, of, new Date(clock.nowMs()));
    if (!change) return { sent: 0 };
    await actions.emailChanges.attemptMail(db, of, clock.nowMs());
    const link = `${change.realm.url}${model.emailChanges.emailChangePath}/${model.emailChanges.emailChangeKey(secret, id)}`;
    await mailer.send(await confirmEmailMail(change, link));
    await actions.emailChanges.markMailed(db, of);
    return { sent: 1 };
  },
};
