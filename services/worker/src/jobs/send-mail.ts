import * as actions from '@parley/actions';
import * as model from '@parley/model';

import type { OnDemandJob } from '../job.ts';
import { writeMail } from '../mail/write-mail.ts';
import { realmOfJob } from '../realm-of-job.ts';

/** Writes and sends a mail that waits for it. */
export const sendMailJob: OnDemandJob = {
  name: 'send-mail',
  concurrency: 4,
  async run(deps, id, said) {
    const { engine, site, mailer, clock, sentLately } = deps;
    const realmId = await realmOfJob(engine, 'mails', { id, realmId: said });
    if (realmId === undefined) return { sent: 0 };
    const db = await engine.dbOf(realmId);
    const of = { realmId, id };
    const waiting = await model.mails.findMail(db, site, of, new Date(clock.nowMs()));
    if (!waiting) return { sent: 0 };
    await actions.mails.attempt(db, of, clock.nowMs());
    const { recipient, content, expiresAt } = waiting;
    const what = ['mail', id, expiresAt.getTime(), recipient, content];
    const mail = (await sentLately.has(...what)) ? undefined : await writeMail(deps, waiting);
    if (mail) {
      await mailer.send(mail);
      await sentLately.add(...what);
    }
    await actions.mails.remove(db, of);
    return { sent: mail ? 1 : 0 };
  },
};
