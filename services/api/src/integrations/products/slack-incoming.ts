import { z } from 'zod';

import { type Told, integration } from '../integration.ts';
import { link } from '../markdown.ts';
import { samples } from '../samples/slack.ts';

const Text = z.union([z.string(), z.object({ text: z.string() }).transform(({ text }) => text)]);
const Field = z.object({
  title: z.string().default(''),
  value: z.union([z.string(), z.number()]).default(''),
});

const Block = z.object({
  type: z.string(),
  text: Text.optional(),
  fields: z.array(Text).default([]),
  elements: z.array(z.unknown()).default([]),
  image_url: z.string().optional(),
  alt_text: z.string().default(''),
});

const Attachment = z.object({
  pretext: z.string().default(''),
  title: z.string().default(''),
  title_link: z.string().optional(),
  text: z.string().default(''),
  fallback: z.string().default(''),
  fields: z.array(Field).default([]),
  image_url: z.string().optional(),
  blocks: z.array(Block).default([]),
});

const Payload = z.object({
  text: z.string().default(''),
  channel: z.string().optional(),
  blocks: z.array(Block).default([]),
  attachments: z.array(Attachment).default([]),
});

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>' };

/** Slack's markup as Markdown. */
function toMarkdown(text: string): string {
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

function ofBlock({ type, text, fields, elements, image_url, alt_text }: z.infer<typeof Block>): string {
  if (type === 'divider') return '---';
  if (type === 'image') return link(alt_text || 'Picture', image_url);
  if (type === 'header') return `## ${toMarkdown(text ?? '')}`;
  const words = elements.flatMap((element) => {
    const parsed = Text.safeParse(element);
    return parsed.success ? [toMarkdown(parsed.data)] : [];
  });
  return [toMarkdown(text ?? ''), ...fields.map(toMarkdown), words.join(' ')].filter(Boolean).join('\n');
}

function ofAttachment(attachment: z.infer<typeof Attachment>): string {
  const { pretext, title, title_link, text, fallback, fields, image_url, blocks } = attachment;
  const parts = [
    toMarkdown(pretext),
    title === '' ? '' : `## ${link(title, title_link)}`,
    toMarkdown(text),
    ...fields.map((field) => `**${toMarkdown(field.title)}**: ${toMarkdown(String(field.value))}`),
    ...blocks.map(ofBlock),
    image_url === undefined ? '' : link('Picture', image_url),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join('\n') : toMarkdown(fallback);
}

/** The errors that Slack has a name for. */
const errors: Record<string, string> = {
  INVALID_API_KEY: 'invalid_auth',
  UNAUTHORIZED: 'invalid_auth',
  UNAUTHENTICATED_USER: 'not_authed',
  INVALID_JSON: 'invalid_payload',
  ANOMALOUS_WEBHOOK_PAYLOAD: 'invalid_payload',
  STREAM_DOES_NOT_EXIST: 'channel_not_found',
  RATE_LIMIT_HIT: 'ratelimited',
  SERVER_NOT_READY: 'service_unavailable',
};

function tell(payload: unknown): Told {
  const { text, channel, blocks, attachments } = Payload.parse(payload);
  // The text is what stands in for blocks where they cannot be shown.
  const own = blocks.length > 0 ? blocks.map(ofBlock) : [toMarkdown(text)];
  const content = [...own, ...attachments.map(ofAttachment)].filter(Boolean).join('\n\n');
  z.string().min(1).parse(content.trim());
  return { topic: channel?.replace(/^[#@]/, '') ?? '(no topic)', content };
}

/** Whatever is written for incoming webhooks of Slack. */
export const slackIncoming = integration({
  name: 'slack_incoming',
  displayName: 'Slack-compatible webhook',
  field: 'anything',
  documentation: 'https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks',
  where: 'where a program asks for the address of a Slack webhook',
  besides: (refusal) =>
    refusal === null ? { ok: true } : { ok: false, error: errors[refusal] ?? refusal.toLowerCase() },
  event: () => 'message',
  events: { message: { description: 'A message as Slack takes it', tell } },
  samples,
});
