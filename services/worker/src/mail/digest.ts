import { escapeHtml } from '@parley/markdown';
import * as model from '@parley/model';
import { emptyTopicDisplayName } from '@parley/protocol';

import type { JobDeps } from '../job.ts';
import { link, mailPage } from './layout.ts';
import type { Mail } from './mailer.ts';

const messagesOf = (count: number) => (count === 1 ? '1 message' : `${count} messages`);
const peopleOf = (count: number) => (count === 1 ? '1 person' : `${count} people`);

/** Writes the mail that lists what somebody has not read in the last week; null if that is nothing, or not wanted. */
export async function writeDigestMail(
  { engine, site, secrets: [secret], clock }: JobDeps,
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
    ...(digest.inChannels > 0 ? [`Channels: ${messagesOf(digest.inChannels)}`] : []),
    ...(showsContent
      ? digest.topics.map(
          ({ channelName, topic, messages, people }) =>
            `#${channelName} > ${topic === '' ? emptyTopicDisplayName : topic}: ${messagesOf(messages)} from ${peopleOf(people)}`,
        )
      : []),
    ...(digest.direct > 0 ? [`Direct messages: ${messagesOf(digest.direct)}`] : []),
  ];
  const intro = `Your unread messages of the last week in ${realmName}:`;
  const url = model.notifications.unsubscribeUrl(secret, realm, userId);
  const title = `Your week in ${realmName}`;
  return {
    to: recipient,
    subject: title,
    text: `${intro}\n\n${lines.map((line) => `- ${line}`).join('\n')}\n\nOpen ${realmName}: ${realm.url}\n\n--\nUnsubscribe: ${url}\n`,
    html: mailPage({
      title,
      content: `<p>${escapeHtml(intro)}</p>
<ul style="padding-left:20px">
${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('\n')}
</ul>
<p>${link(realm.url, `Open ${realmName}`)}</p>`,
      footer: link(url, 'Unsubscribe'),
    }),
    unsubscribeUrl: url,
  };
}
