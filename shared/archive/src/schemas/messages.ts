import { limits, pageLimits } from '@parley/protocol';
import { z } from 'zod';

import { messageText } from './places.ts';
import { emoji, isEmoji } from './profiles.ts';
import { bigId, fromJson, html, id, ids, like, ordinal, text, time, uploadPath, webUrl } from './values.ts';

const pixels = z.int().min(0).max(1_000_000);

export const attachments = z.strictObject({
  id: bigId,
  realm_id: id,
  owner_id: id,
  path_id: uploadPath,
  name: text(limits.fileNameLength),
  content_type: like(/^[\w.+-]{1,100}\/[\w.+-]{1,100}$/),
  size: z
    .int()
    .min(0)
    .max(limits.uploadMebibytes * 1024 * 1024),
  image: z
    .strictObject({
      contentType: like(/^image\/[\w.+-]{1,60}$/),
      width: pixels,
      height: pixels,
      frames: pixels,
    })
    .nullable(),
  created_at: time,
  released_at: time.nullable(),
});

/** What is said of a page. The player of a video is HTML, so a video from an archive is shown like any other page. */
const PageFacts = z
  .union([
    z.strictObject({
      kind: z.literal('page'),
      title: text(pageLimits.titleLength),
      description: text(pageLimits.descriptionLength),
      image: webUrl.nullable(),
    }),
    z
      .strictObject({
        kind: z.literal('video'),
        title: text(pageLimits.titleLength),
        html: z.string(),
        image: webUrl.nullable(),
      })
      .transform(({ title, image }) => ({ kind: 'page' as const, title, description: '', image })),
  ])
  .nullable();

export const link_previews = z.strictObject({
  realm_id: id,
  url: webUrl,
  facts: PageFacts,
  fresh_until: time,
});

const people = ids(1_000_000);

export const messages = z
  .strictObject({
    id: bigId,
    realm_id: id,
    conversation_id: bigId,
    ordinal: ordinal.min(1),
    channel_id: id.nullable(),
    topic_id: bigId.nullable(),
    sender_id: id,
    sent_at: time,
    content: messageText,
    rendered_content: html,
    rendered_version: z
      .int()
      .min(0)
      .max(32_767)
      .transform(() => 0),
    client: text(limits.clientNameLength),
    has_link: z.boolean(),
    has_image: z.boolean(),
    has_attachment: z.boolean(),
    queue_id: z.string().nullable(),
    local_id: z.string().nullable(),
    read_by: people,
    unread_for: people.nullable(),
    mentions_channel: z.boolean(),
    edited_at: time.nullable(),
    previews_due_at: time.nullable(),
  })
  .refine(({ channel_id, topic_id }) => (channel_id === null) === (topic_id === null));

export const message_flags = z.strictObject({
  user_id: id,
  message_id: bigId,
  starred: z.boolean(),
  collapsed: z.boolean(),
  mentioned: z.boolean(),
  topic_wildcard_mentioned: z.boolean(),
  has_alert_word: z.boolean(),
});

export const message_edits = z.strictObject({
  id: bigId,
  message_id: bigId,
  user_id: id,
  edited_at: time,
  prev_content: messageText,
  prev_rendered_content: html,
});

export const reactions = z
  .strictObject({ id: bigId, message_id: bigId, user_id: id, ...emoji })
  .refine((reaction) => isEmoji(reaction));

export const submessages = z.strictObject({
  id: bigId,
  message_id: bigId,
  sender_id: id,
  type: text(limits.submessageTypeLength),
  content: text(limits.submessageBytesPerMessage).refine((content) => fromJson(content) !== undefined),
});

export const message_attachments = z.strictObject({ message_id: bigId, attachment_id: bigId });
