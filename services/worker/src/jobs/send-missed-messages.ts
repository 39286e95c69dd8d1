import * as actions from '@parley/actions';
import { isDatabaseUnavailable } from '@parley/db';
import { sum } from '@parley/kit';
import * as model from '@parley/model';

import type { JobDeps, OnDemandJob } from '../job.ts';
import { missedMessagesMail, shownMax } from '../mail/missed-messages.ts';

/** Values of the setting that says when a subject names the organization. */
const namesRealmPolicies = { automatic: 1, always: 2 };

/** Sends a mail about messages of one conversation that a user has missed. */
export const sendMissedMessagesJob: OnDemandJob = {
  name: 'send-missed-messages',
  concurrency: 4,
  async run({ engine, site, mailer, secrets: [secret], clock, sentLately }, id, realmId) {
    const now = new Date(clock.nowMs());
    // A node of an older version does not say the realm. Whoever looks for what is due does, a second later.
    if (realmId === undefined) return { sent: 0 };
    const db = await engine.dbOf(realmId);
    const claim = await actions.notifications.claim(db, { realmId, id }, now);
    if (!claim) return { sent: 0 };
    const found = await engine.snapshotAt(realmId, async (tx) => {
      const user = await model.notifications.findNotifiedUser(tx, site, claim);
      if (!user) return undefined;
      const { messageIds } = claim;
      const wanted = await model.notifications.findWantedMessages(tx, user.actor, {
        messageIds,
        by: 'mail',
        max: shownMax,
        now,
      });
      return { user, wanted };
    });
    const what = ['missed', claim.userId, claim.mailId, found?.wanted];
    const isWanted = found !== undefined && found.wanted.count > 0 && !(await sentLately.has(...what));
    if (isWanted) {
      const { user, wanted } = found;
      const showsContent =
        user.settings.message_content_allowed_in_email_notifications &&
        user.actor.settings.message_content_in_email_notifications;
      await mailer.send(
        await missedMessagesMail({
          user,
          wanted,
          showsContent,
          namesRealm: await namesRealm(engine, user.actor),
          unsubscribeUrl: model.notifications.unsubscribeUrl(secret, user.realm, user.actor.id),
          mailId: claim.mailId,
        }),
      );
      await sentLately.add(...what);
    }
    await actions.notifications.finish(db, claim);
    return { sent: isWanted ? 1 : 0 };
  },
};

/** Returns whether a subject says which organization it is about: to people who are in several, unless they want otherwise. */
async function namesRealm(engine: JobDeps['engine'], { settings, email }: model.Actor): Promise<boolean> {
  const policy = settings.realm_name_in_email_notifications_policy;
  if (policy !== namesRealmPolicies.automatic) return policy === namesRealmPolicies.always;
  try {
    const counts = await engine.sweep((db, realmIds) =>
      model.users.countAccountsWithEmail(db, email, realmIds),
    );
    return sum(counts) > 1;
  } catch (error) {
    // A server that holds other organizations is away.
    if (!isDatabaseUnavailable(error)) throw error;
    return true;
  }
}
