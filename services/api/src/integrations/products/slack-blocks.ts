import { z } from 'zod';

import { lookUp } from '../look-up.ts';
import { link } from '../markdown.ts';
import { ofRichText } from './slack-rich-text.ts';

const Text = z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)]);

/** A button that opens a page, or a picture, or a text. */
const Element = z.object({
  type: z.string().optional(),
  text: Text.optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  image_url: z.string().optional().catch(undefined),
  alt_text: z.string().optional().catch(undefined),
});

const Block = z.object({
  type: z.string(),
  text: Text.optional(),
  title: Text.optional().catch(undefined),
  description: Text.optional().catch(undefined),
  fields: z.array(Text).default([]),
  elements: z.array(z.unknown()).default([]),
  accessory: z.unknown().optional(),
  image_url: z.string().optional(),
  video_url: z.string().optional().catch(undefined),
  title_url: z.string().optional().catch(undefined),
  alt_text: z.string().default(''),
});
type Block = z.infer<typeof Block>;

/** A list of blocks as Slack takes them. */
export const Blocks = z.array(Block);

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Returns Slack's markup as Markdown. */
export function toMarkdown(text: string): string {
  return text
    .replaceAll(/<([^<>|\s]+)(?:\|([^<>]*))?>/g, (_, target: string, words?: string) => {
      if (target.startsWith('!')) return `@${words ?? target.slice(1).split('^')[0] ?? ''}`;
      if (/^[@#]/.test(target)) return `${target[0] ?? ''}${words ?? target.slice(1)}`;
      return words === undefined ? target : link(words, target);
    })
    .replaceAll(/(?<![\w*])\*(?![\s*])([^*\n]{1,1000}?)(?<!\s)\*(?![\w*])/g, '**$1**')
    .replaceAll(/(?<![\w~])~(?![\s~])([^~\n]{1,1000}?)(?<!\s)~(?![\w~])/g, '~~$1~~')
    .replaceAll(/(?<![\w_])_(?![\s_])([^_\n]{1,1000}?)(?<!\s)_(?![\w_])/g, '*$1*')
    .replaceAll(/&(?:amp|lt|gt);/g, (entity) => entities[entity] ?? entity);
}

/** A part of a block. Of what one presses, only that is shown which opens a page. */
function ofElement(raw: unknown): string {
  const { data } = Element.safeParse(raw);
  const text = typeof raw === 'string' ? raw : data?.text;
  if (data?.url !== undefined) return link(text ?? data.url, data.url);
  if (data?.type === 'button') return '';
  return text === undefined ? '' : toMarkdown(text);
}

function ofSection({ text, fields, accessory, elements }: Block): string {
  const parts = [
    toMarkdown(text ?? ''),
    ...fields.map(toMarkdown),
    elements.map(ofElement).filter(Boolean).join(' '),
    accessory === undefined ? '' : ofElement(accessory),
  ];
  return parts.filter(Boolean).join('\n');
}

/** What becomes of the blocks that differ from a section. */
const types: Record<string, (block: Block) => string> = {
  divider: () => '---',
  header: ({ text }) => `## ${toMarkdown(text ?? '')}`,
  image: ({ alt_text, title, image_url }) => link(title || alt_text || 'Picture', image_url),
  video: ({ title, title_url, video_url, description }) =>
    [link(title || 'Video', title_url ?? video_url), toMarkdown(description ?? '')]
      .filter(Boolean)
      .join('\n'),
  markdown: ({ text }) => text ?? '',
  rich_text: ({ elements }) => ofRichText(elements),
  actions: ({ elements }) => elements.map(ofElement).filter(Boolean).join(' · '),
};

/** Returns a block as Markdown. */
export const ofBlock = (block: Block): string => (lookUp(types, block.type) ?? ofSection)(block);
