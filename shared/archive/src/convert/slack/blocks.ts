import { refer } from '../foreign.ts';
import { type Json, isObject, listOf, stringOf } from '../json.ts';
import { codeBlock, inlineCode, link, mentionAll, quoteOf } from '../markup.ts';
import { cleanText } from '../texts.ts';
import { ofMrkdwn } from './mrkdwn.ts';

/** Elements that lie in each other. Slack nests them three deep. */
const depthMax = 8;

/** Returns a text of a block: plain, or mrkdwn. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return ofMrkdwn(value);
  if (!isObject(value)) return '';
  const text = stringOf(value['text']);
  return value['type'] === 'plain_text' ? cleanText(text) : ofMrkdwn(text);
}

/** Returns text with the marks of its style. Spaces at its ends stay outside of them. */
function styled(text: string, style: unknown): string {
  const isStyled = (name: string) => isObject(style) && style[name] === true;
  const words = text.trim();
  if (words === '') return text;
  const before = text.slice(0, text.length - text.trimStart().length);
  const after = text.slice(text.trimEnd().length);
  if (isStyled('code')) return `${before}${inlineCode(words)}${after}`;
  let marked = words;
  if (isStyled('italic')) marked = `*${marked}*`;
  if (isStyled('bold')) marked = `**${marked}**`;
  if (isStyled('strike')) marked = `~~${marked}~~`;
  return `${before}${marked}${after}`;
}

function ofInline(element: Json): string {
  const text = cleanText(stringOf(element['text']));
  switch (element['type']) {
    case 'text':
      return styled(text, element['style']);
    case 'link':
      return styled(link(text, cleanText(stringOf(element['url']))), element['style']);
    case 'user':
      return refer('person', cleanText(stringOf(element['user_id'])));
    case 'channel':
      return refer('channel', cleanText(stringOf(element['channel_id'])));
    case 'emoji':
      return `:${cleanText(stringOf(element['name'])).replace(/::.*/, '')}:`;
    case 'broadcast':
      return mentionAll;
    case 'date':
      return cleanText(stringOf(element['fallback']));
    case 'usergroup':
      return `@${cleanText(stringOf(element['usergroup_id']))}`;
    default:
      return text;
  }
}

const inlineOf = (element: Json): string =>
  listOf(element['elements'])
    .map((one) => (isObject(one) ? ofInline(one) : ''))
    .join('');

function ofRichElement(element: Json, depth: number): string {
  switch (element['type']) {
    case 'rich_text_list':
      return ofList(element, depth);
    case 'rich_text_quote':
      return `\n${quoteOf(inlineOf(element).trim())}\n\n`;
    case 'rich_text_preformatted': {
      const code = listOf(element['elements']).map((one) =>
        isObject(one) ? cleanText(stringOf(one['text']) || stringOf(one['url'])) : '',
      );
      return codeBlock(code.join(''));
    }
    default:
      return inlineOf(element);
  }
}

function ofList(element: Json, depth: number): string {
  if (depth > depthMax) return '';
  const indent =
    typeof element['indent'] === 'number' ? Math.min(Math.max(0, element['indent']), depthMax) : 0;
  const isOrdered = element['style'] === 'ordered';
  const items = listOf(element['elements']).map((item, index) => {
    const words = isObject(item) ? ofRichElement(item, depth + 1).trim() : '';
    return `${'  '.repeat(indent)}${isOrdered ? `${index + 1}.` : '*'} ${words.replaceAll('\n', ' ')}`;
  });
  return `\n${items.join('\n')}\n`;
}

function ofBlock(block: Json): string {
  switch (block['type']) {
    case 'rich_text':
      return listOf(block['elements'])
        .map((element) => (isObject(element) ? ofRichElement(element, 0) : ''))
        .join('');
    case 'divider':
      return '---';
    case 'header':
      return `## ${textOf(block['text'])}`;
    case 'image':
      return link(
        cleanText(stringOf(block['alt_text'])) || 'Picture',
        cleanText(stringOf(block['image_url'])),
      );
    case 'section':
      return [textOf(block['text']), ...listOf(block['fields']).map(textOf)].filter(Boolean).join('\n');
    case 'context':
      return listOf(block['elements']).map(textOf).filter(Boolean).join(' ');
    default:
      return '';
  }
}

/** Returns the blocks of a message of Slack as Markdown. */
export const ofBlocks = (blocks: unknown): string =>
  listOf(blocks)
    .map((block) =>
      isObject(block)
        ? ofBlock(block)
            .replaceAll(/\n{3,}/g, '\n\n')
            .trim()
        : '',
    )
    .filter(Boolean)
    .join('\n\n');

const valueOf = (value: unknown) => (typeof value === 'number' ? String(value) : stringOf(value));

/** Returns what an app attached to a message as Markdown. Previews of pages are made anew. */
export function ofAttachment(attachment: Json): string {
  const title = ofMrkdwn(stringOf(attachment['title']));
  const url = cleanText(stringOf(attachment['title_link']));
  const fields = listOf(attachment['fields']).flatMap((field) =>
    isObject(field)
      ? [`**${ofMrkdwn(stringOf(field['title']))}**: ${ofMrkdwn(valueOf(field['value']))}`]
      : [],
  );
  const image = cleanText(stringOf(attachment['image_url']));
  const parts = [
    ofMrkdwn(stringOf(attachment['pretext'])),
    url === '' ? title && `**${title}**` : link(title, url),
    ofMrkdwn(stringOf(attachment['text'])),
    ...fields,
    ofBlocks(attachment['blocks']),
    image && link('Picture', image),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join('\n') : ofMrkdwn(stringOf(attachment['fallback']));
}
