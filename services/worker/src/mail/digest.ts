import { escapeHtml } from '@parley/markdown';
import * as model from '@parley/model';
import { emptyTopicDisplayName } from '@parley/protocol';
import { mailText, serverLanguageOf } from '@parley/strings';

import type { JobDeps } from '../job.ts';
import { link, mailPage } from './layout.ts';
import type { Mail } from './mailer.ts';

/** Writes the mail that lists what somebody has not read in the last week; null if that is nothing, or not wanted. */
export async function writeDigestMail(
  { engine, site, secrets: [secret], clock }: JobDeps,
  { recipient, realm: { id: realmId } }: model.mails.WaitingMail,
  userId: number,
): Promise<Mail | null> {
  const found = await engine.snapshotAt(realmId, async (tx) => {
    const user = await model.notifications.findNotifiedUser(tx, site, { realmId, userId });
    if (!user?.actor.settings.enable_digest_emails || user.actor.email !== recipient) return null;
    return { user, digest: await model.digests.readDigest(tx, user.actor, new Date(clock.nowMs())) };
  });
  if (!found || found.digest.inChannels + found.digest.direct === 0) return null;
  const { user, digest } = found;
  const { realm, realmName, actor, settings } = user;
  const showsContent =
    settings.message_content_allowed_in_email_notifications &&
    actor.settings.message_content_in_email_notifications;
  const language = serverLanguageOf(actor.settings.default_language);
  const { digest: text, labelled, unsubscribe } = await mailText(language);
  const lines = [
    ...(digest.inChannels > 0 ? [text.channels(digest.inChannels)] : []),
    ...(showsContent
      ? digest.topics.map(({ channelName, topic, messages, people }) =>
          text.topic(`#${channelName} > ${topic === '' ? emptyTopicDisplayName : topic}`, messages, people),
        )
      : []),
    ...(digest.direct > 0 ? [text.direct(digest.direct)] : []),
  ];
  const intro = text.intro(realmName);
  const url = model.notifications.unsubscribeUrl(secret, realm, userId);
  const title = text.subject(realmName);
  return {
    to: recipient,
    language,
    subject: title,
    text: `${intro}\n\n${lines.map((line) => `- ${line}`).join('\n')}\n\n${labelled(text.open(realmName), realm.url)}\n\n--\n${labelled(unsubscribe, url)}\n`,
    html: mailPage({
      language,
      title,
      content: `<p>${escapeHtml(intro)}</p>
<ul style="padding-left:20px">
${lines.map((line) => `<li>${escapeHtml(line)}</li>`).join('\n')}
</ul>
<p>${link(realm.url, text.open(realmName))}</p>`,
      footer: link(url, unsubscribe),
    }),
    unsubscribeUrl: url,
  };
}
