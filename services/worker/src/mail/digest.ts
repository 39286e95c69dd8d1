import { escapeHtml } from '@parley/markdown';
import * as model from '@parley/model';
import { emptyTopicDisplayName } from '@parley/protocol';

import type { JobDeps } from '../jobs/job.ts';
import { link, mailPage } from './layout.ts';
import type { Mail } from './mailer.ts';

const messagesOf = (count: number) => (count === 1 ? 'one message' : `${count} messages`);
const peopleOf = (count: number) => (count === 1 ? 'one person' : `${count} people`);

/** The mail that tells somebody what they have not read of the last week; null if that is nothing, or not wanted. */
export async function writeDigestMail(
  { engine, site, secret, clock }: JobDeps,
  { recipient }: model.mails.WaitingMail,
  userId: number,
): Promise<Mail | null> {
  const found = await engine.snapshot(async (tx) => {
    const user = await model.notifications.findNotifiedUser(tx, site, userId);
    if (!user?.actor.settings.enable_digest_emails || user.actor.email !== recipient) return null;
    return { user, digest: await model.digests.readDigest(tx, user.actor, new Date(clock.nowMs())) };
  });
  if (!found || found.digest.inChannels + found.digest.direct === 0) return null;
  const { user, digest } = found;
  const { realm, realmName, actor, settings } = user;
  const showsContent =
    settings.message_content_allowed_in_email_notifications &&
    actor.settings.message_content_in_email_notifications;
  const lines = [
    ...(digest.inChannels > 0 ? [`In channels: ${messagesOf(digest.inChannels)}`] : []),
    ...(showsContent
      ? digest.topics.map(
          ({ channelName, topic, messages, people }) =>
            `#${channelName} > ${topic === '' ? emptyTopicDisplayName : topic}: ${messagesOf(messages)} of ${peopleOf(people)}`,
        )
      : []),
    ...(digest.direct > 0 ? [`To you: ${messagesOf(digest.direct)}`] : []),
  ];
  const intro = `What you have not read of the last week in ${realmName}:`;
  const url = model.notifications.unsubscribeUrl(secret, realm, userId);
  const title = `${realmName}: your week`;
  return {
    to: recipient,
    subject: title,
    text: `${intro}\n\n${lines.map((line) => `- ${line}`).join('\n')}\n\nRead: ${realm.url}\n\n--\nNo more mails like this: ${url}\n`,
    html: mailPage({
      title,
      content: `<p>${escapeHtml(intro)}</p>
<ul style="padding-left:20px">
${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('\n')}
</ul>
<p>${link(realm.url, `Read in ${realmName}`)}</p>`,
      footer: link(url, 'No more mails like this'),
    }),
    unsubscribeUrl: url,
  };
}
