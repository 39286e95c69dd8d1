import { z } from 'zod';

import { lookUp } from '../look-up.ts';
import { fenced, link } from '../markdown.ts';

const Style = z.object({
  bold: z.boolean().optional(),
  italic: z.boolean().optional(),
  strike: z.boolean().optional(),
  code: z.boolean().optional(),
});

const Inline = z.object({
  type: z.string(),
  text: z.string().optional(),
  url: z.string().optional(),
  user_id: z.string().optional(),
  usergroup_id: z.string().optional(),
  channel_id: z.string().optional(),
  name: z.string().optional(),
  range: z.string().optional(),
  fallback: z.string().optional(),
  value: z.string().optional(),
  style: Style.optional(),
});
type Inline = z.infer<typeof Inline>;

const Inlines = z.array(Inline);

const Group = z.object({
  type: z.string(),
  style: z.unknown().optional(),
  indent: z.number().min(0).max(8).optional(),
  elements: z.array(z.unknown()),
});

/** Marks words, and leaves the spaces around them outside. */
function styled(text: string, { bold, italic, strike, code }: z.infer<typeof Style> = {}): string {
  const [, before = '', words = '', after = ''] = /^(\s*)([^]*?)(\s*)$/.exec(text) ?? [];
  if (words === '') return text;
  if (code) return `${before}\`${words.replaceAll('`', "'")}\`${after}`;
  const marks = [bold && '**', italic && '*', strike && '~~'].filter((mark) => typeof mark === 'string');
  return `${before}${marks.join('')}${words}${marks.toReversed().join('')}${after}`;
}

/** What becomes of the parts of a line, by their types. */
const types: Record<string, (part: Inline) => string> = {
  text: ({ text, style }) => styled(text ?? '', style),
  link: ({ text, url, style }) => styled(link(text ?? url ?? '', url), style && { ...style, code: false }),
  user: ({ user_id }) => `@${user_id ?? ''}`,
  usergroup: ({ usergroup_id }) => `@${usergroup_id ?? ''}`,
  channel: ({ channel_id }) => `#${channel_id ?? ''}`,
  emoji: ({ name }) => `:${name ?? ''}:`,
  broadcast: ({ range }) => `@${range ?? ''}`,
  date: ({ fallback }) => fallback ?? '',
  color: ({ value }) => value ?? '',
};

const lineOf = (parts: unknown) =>
  Inlines.parse(parts)
    .map((part) => lookUp(types, part.type)?.(part) ?? '')
    .join('');

function listOf({ style, indent = 0, elements }: z.infer<typeof Group>): string {
  const items = z.array(z.object({ elements: z.unknown() })).parse(elements);
  const start = '  '.repeat(indent);
  return items
    .map((item, index) => `${start}${style === 'ordered' ? `${index + 1}.` : '*'} ${lineOf(item.elements)}`)
    .join('\n');
}

function ofGroup(raw: unknown): string {
  const group = Group.parse(raw);
  if (group.type === 'rich_text_list') return listOf(group);
  const text = lineOf(group.elements);
  if (group.type === 'rich_text_quote') return text.replaceAll(/^/gm, '> ');
  return group.type === 'rich_text_preformatted' ? fenced('', text).trimStart() : text.trim();
}

/** Returns the parts of Slack's rich text as Markdown. @throws {z.ZodError} */
export const ofRichText = (elements: readonly unknown[]): string =>
  elements.map(ofGroup).filter(Boolean).join('\n\n');
