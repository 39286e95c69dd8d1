import { escapeHtml, messageHash } from '@parley/markdown';
import type { Actor } from '@parley/model';
import { type FetchedMessage, emptyTopicDisplayName } from '@parley/protocol';
import { type LanguageTag, joinNames, type mailText } from '@parley/strings';

import { readMessage } from './read-message.ts';

/** A message longer than this, as HTML, is shown as the beginning of its text. */
const htmlLengthMax = 50_000;
const textLengthMax = 10_000;

/** A message as a mail tells of it. */
export interface MissedMessage {
  /** Where it is. */
  place: string;
  /** Tells conversations apart. */
  threadName: string;
  /** Who has sent it, and where. */
  heading: string;
  text: string;
  html: string;
  url: string;
}

/** The reader's language, and what mails say in it. */
interface Spoken {
  language: LanguageTag;
  text: Awaited<ReturnType<typeof mailText>>['missed'];
}

/** Returns a message as it is told to a reader by mail. */
export function missedMessage(
  message: FetchedMessage,
  reader: Actor,
  baseUrl: string,
  spoken: Spoken,
): MissedMessage {
  const { display_recipient: recipient, sender_full_name: sender, subject, id, stream_id = 0 } = message;
  const content = readMessage(message.content, { baseUrl, withLinks: true });
  const text = content.text.slice(0, textLengthMax);
  const html = content.html.length > htmlLengthMax ? `<p>${escapeHtml(text)}</p>` : content.html;
  const isChannel = typeof recipient === 'string';
  const place = isChannel
    ? `#${recipient} > ${subject === '' ? emptyTopicDisplayName : subject}`
    : directPlace(recipient, reader, spoken);
  const hash = isChannel
    ? messageHash({ id: stream_id, name: recipient }, subject, id)
    : `#narrow/dm/${recipient.map((person) => person.id).join(',')}-dm/near/${id}`;
  return {
    place,
    threadName: Buffer.from(isChannel ? subject.toLowerCase() : '').toString('base64url'),
    heading: isChannel ? spoken.text.heading(sender, place) : sender,
    text,
    html,
    url: `${baseUrl}/${hash}`,
  };
}

function directPlace(
  people: { id: number; full_name: string }[],
  reader: Actor,
  { language, text }: Spoken,
): string {
  const others = people.filter(({ id }) => id !== reader.id).map(({ full_name }) => full_name);
  return text.direct(joinNames(others, language));
}
