import { z } from 'zod';

import { type Told, integration } from '../integration.ts';
import { link } from '../markdown.ts';
import { samples } from '../samples/slack.ts';
import { Blocks, ofBlock, toMarkdown } from './slack-blocks.ts';

const Words = z.string().nullish().catch(null);
const Field = z.object({
  title: z.string().default(''),
  value: z.union([z.string(), z.number()]).default(''),
});

const Attachment = z.object({
  pretext: z.string().default(''),
  author_name: Words,
  author_link: Words,
  title: z.string().default(''),
  title_link: z.string().optional(),
  text: z.string().default(''),
  fallback: z.string().default(''),
  fields: z.array(Field).default([]),
  image_url: z.string().optional(),
  footer: Words,
  actions: z
    .array(z.object({ text: Words, url: Words }))
    .nullish()
    .catch(null),
  blocks: Blocks.default([]),
});

const Payload = z.object({
  text: z.string().default(''),
  channel: z.string().optional(),
  blocks: Blocks.default([]),
  attachments: z.array(Attachment).default([]),
});

function ofAttachment(attachment: z.infer<typeof Attachment>): string {
  const { pretext, title, title_link, text, fallback, fields, image_url, blocks } = attachment;
  const { author_name, author_link, footer, actions } = attachment;
  const buttons = (actions ?? []).flatMap((one) => (one.url ? [link(one.text ?? one.url, one.url)] : []));
  const parts = [
    toMarkdown(pretext),
    author_name ? link(author_name, author_link) : '',
    title === '' ? '' : `## ${link(title, title_link)}`,
    toMarkdown(text),
    ...fields.map((field) => `**${toMarkdown(field.title)}**: ${toMarkdown(String(field.value))}`),
    ...blocks.map(ofBlock),
    image_url === undefined ? '' : link('Picture', image_url),
    buttons.join(' · '),
    footer ? toMarkdown(footer) : '',
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
  const shown = blocks.map(ofBlock).filter(Boolean);
  const own = shown.length > 0 ? shown : [toMarkdown(text)];
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
