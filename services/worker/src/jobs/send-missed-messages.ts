import * as actions from '@parley/actions';
import * as model from '@parley/model';

import type { OnDemandJob } from '../job.ts';
import { missedMessagesMail, shownMax } from '../mail/missed-messages.ts';

/** Values of the setting that says when a subject names the organization. */
const namesRealmPolicies = { automatic: 1, always: 2 };

/** Sends a mail about messages of one conversation that a user has missed. */
export const sendMissedMessagesJob: OnDemandJob = {
  name: 'send-missed-messages',
  concurrency: 4,
  async run({ engine, site, mailer, secrets: [secret], clock, sentLately }, id) {
    const now = new Date(clock.nowMs());
    const claim = await actions.notifications.claim(engine.db, id, now);
    if (!claim) return { sent: 0 };
    const found = await engine.snapshot(async (tx) => {
      const user = await model.notifications.findNotifiedUser(tx, site, claim.userId);
      if (!user) return undefined;
      const { messageIds } = claim;
      const wanted = await model.notifications.findWantedMessages(tx, user.actor, {
        messageIds,
        by: 'mail',
        max: shownMax,
        now,
      });
      const policy = user.actor.settings.realm_name_in_email_notifications_policy;
      const namesRealm =
        policy === namesRealmPolicies.always ||
        (policy === namesRealmPolicies.automatic &&
          (await model.users.countAccountsWithEmail(tx, user.actor.email)) > 1);
      return { user, wanted, namesRealm };
    });
    const what = ['missed', claim.userId, claim.mailId, found?.wanted];
    const isWanted = found !== undefined && found.wanted.count > 0 && !(await sentLately.has(...what));
    if (isWanted) {
      const { user, wanted, namesRealm } = found;
      const showsContent =
        user.settings.message_content_allowed_in_email_notifications &&
        user.actor.settings.message_content_in_email_notifications;
      await mailer.send(
        await missedMessagesMail({
          user,
          wanted,
          showsContent,
          namesRealm,
          unsubscribeUrl: model.notifications.unsubscribeUrl(secret, user.realm, user.actor.id),
          mailId: claim.mailId,
        }),
      );
      await sentLately.add(...what);
    }
    await actions.notifications.finish(engine.db, claim);
    return { sent: isWanted ? 1 : 0 };
  },
};
