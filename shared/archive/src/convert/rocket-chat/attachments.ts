import { type Json, isObject, listOf, stringOf } from '../json.ts';
import { link, quoteOf } from '../markup.ts';
import { cleanText } from '../texts.ts';

/** How deep quotes lie in each other. */
const depthMax = 3;

const valueOf = (value: unknown) => (typeof value === 'number' ? String(value) : stringOf(value));

/** Returns whether this is what a message shows of a file that it has. */
const isOfFile = (attachment: Json): boolean =>
  attachment['type'] === 'file' ||
  stringOf(attachment['fileId']) !== '' ||
  /^\/(?:file-upload|ufs)\//.test(stringOf(attachment['title_link']));

/** What a message quotes, and what an app or a person attached to it, as Markdown. */
export interface Attached {
  quotes: string[];
  others: string[];
}

export function ofAttachments(value: unknown, textOf: (raw: string) => string): Attached {
  const attached: Attached = { quotes: [], others: [] };
  for (const attachment of listOf(value).filter(isObject)) {
    const text = textOfAttachment(attachment, textOf, 0);
    if (stringOf(attachment['message_link']) !== '') attached.quotes.push(quoteOf(text));
    else if (text !== '') attached.others.push(text);
  }
  return attached;
}

function textOfAttachment(attachment: Json, textOf: (raw: string) => string, depth: number): string {
  if (isOfFile(attachment)) return textOf(stringOf(attachment['description']));
  const parts = partsOf(attachment, textOf);
  for (const inner of depth < depthMax ? listOf(attachment['attachments']).filter(isObject) : []) {
    parts.push(textOfAttachment(inner, textOf, depth + 1));
  }
  const isQuote = stringOf(attachment['message_link']) !== '';
  const author = cleanText(stringOf(attachment['author_name'])).replaceAll('*', '').trim();
  return [isQuote && author !== '' ? `**${author}**:` : '', ...parts].filter(Boolean).join('\n');
}

function partsOf(attachment: Json, textOf: (raw: string) => string): string[] {
  const title = textOf(stringOf(attachment['title']));
  const url = addressOf(attachment['title_link']);
  const fields = listOf(attachment['fields']).flatMap((field) =>
    isObject(field) ? [`**${textOf(stringOf(field['title']))}**: ${textOf(valueOf(field['value']))}`] : [],
  );
  const media = ['image_url', 'audio_url', 'video_url'].map((name) => addressOf(attachment[name]));
  return [
    textOf(stringOf(attachment['pretext'])),
    url === '' ? title && `**${title}**` : link(title, url),
    textOf(stringOf(attachment['text'])),
    ...fields,
    ...media,
  ].filter(Boolean);
}

/** Returns an address elsewhere. Those of the server itself lead nowhere any longer. */
const addressOf = (value: unknown): string => {
  const address = cleanText(stringOf(value)).trim();
  return /^https?:\/\/\S+$/i.test(address) ? address : '';
};
