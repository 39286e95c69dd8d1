import { escapeHtml } from '@parley/markdown';
import type * as model from '@parley/model';
import { mailText, serverLanguageOf } from '@parley/strings';

import { type MissedMessage, missedMessage } from '../notifications/missed-message.ts';
import { link, mailPage } from './layout.ts';
import type { Mail } from './mailer.ts';

/** A mail shows at most so many messages of a conversation, and counts the rest. */
export const shownMax = 30;
const shownBytesMax = 200_000;

interface MissedMessages {
  user: model.notifications.NotifiedUser;
  /** At least one; no more than `shownMax` are presented. */
  wanted: model.notifications.WantedMessages;
  /** Whether the mail says what the messages say, and from whom they are. */
  showsContent: boolean;
  /** Whether the subject names the organization. */
  namesRealm: boolean;
  unsubscribeUrl: string;
  /** Is the same when the same mail is sent again. */
  mailId: number;
}

/** Writes the mail about messages of a conversation that a user has missed. */
export async function missedMessagesMail(input: MissedMessages): Promise<Mail> {
  const { user, wanted, showsContent, namesRealm, unsubscribeUrl, mailId } = input;
  const { actor, realm, realmName } = user;
  const { count, messages } = wanted;
  const language = serverLanguageOf(actor.settings.default_language);
  const { missed: text, labelled, unsubscribe } = await mailText(language);
  const all = messages.map((message) => missedMessage(message, actor, realm.url, { language, text }));
  const last = all.at(-1);
  if (!last) throw new Error('A mail about missed messages has none.');
  const shown = showsContent ? withinLimits(all) : [];
  const title = showsContent ? last.place : text.count(count);
  const rest = count - shown.length;
  const more = showsContent && rest > 0 ? text.more(rest) : '';
  const url = showsContent ? last.url : realm.url;
  return {
    to: actor.email,
    language,
    subject: namesRealm ? `${title} [${realmName}]` : title,
    text: [
      ...(showsContent ? [] : [`${text.countIn(count, realmName)}\n`]),
      ...inGroups(shown).map(({ heading, texts }) => `${heading}\n\n${texts.join('\n\n')}\n`),
      ...(more ? [`${more}\n`] : []),
      `${labelled(text.read, url)}\n`,
      '--',
      text.why,
      `${labelled(unsubscribe, unsubscribeUrl)}\n`,
    ].join('\n'),
    html: mailPage({
      language,
      title,
      content: [
        ...(showsContent ? [] : [`<p>${escapeHtml(text.countIn(count, realmName))}</p>`]),
        ...inGroups(shown).map(
          ({ heading, htmls }) =>
            `<p style="margin:16px 0 4px"><b>${escapeHtml(heading)}</b></p>\n${htmls.join('\n')}`,
        ),
        ...(more ? [`<p>${escapeHtml(more)}</p>`] : []),
        `<p>${link(url, text.readIn(realmName))}</p>`,
      ].join('\n'),
      footer: `${escapeHtml(text.why)} ${link(unsubscribeUrl, unsubscribe)}`,
    }),
    messageId: `<missed-${mailId}-${actor.id}@${realm.emailDomain}>`,
    // Programs for mail show those of a conversation together.
    thread: `<${messages[0]?.recipient_id}-${showsContent ? last.threadName : 'all'}-${actor.id}@${realm.emailDomain}>`,
    unsubscribeUrl,
  };
}

/** Returns the first messages, as many as fit into a mail. */
function withinLimits(all: MissedMessage[]): MissedMessage[] {
  let bytes = 0;
  return all.filter(({ html, text }) => {
    bytes += Buffer.byteLength(html) + Buffer.byteLength(text);
    return bytes <= shownBytesMax;
  });
}

/** Puts consecutive messages of one sender in one place under one heading. */
function inGroups(messages: MissedMessage[]) {
  const groups: { heading: string; texts: string[]; htmls: string[] }[] = [];
  for (const { heading, text, html } of messages) {
    const group = groups.at(-1);
    if (group?.heading === heading) {
      group.texts.push(text);
      group.htmls.push(html);
    } else groups.push({ heading, texts: [text], htmls: [html] });
  }
  return groups;
}
