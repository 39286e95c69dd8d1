import { z } from 'zod';

import { TopicName } from './topic-name.ts';

export const DisplayRecipient = z.strictObject({
  id: z.int(),
  email: z.string(),
  full_name: z.string(),
  is_mirror_dummy: z.boolean(),
});

/** One user's emoji reaction to a message. */
export const Reaction = z.strictObject({
  emoji_name: z.string(),
  emoji_code: z.string(),
  /** The last is the third as some clients read it. It is in replies and events alone. */
  reaction_type: z.enum(['unicode_emoji', 'realm_emoji', 'svc_extra_emoji', 'zulip_extra_emoji']),
  user_id: z.int(),
});
export type Reaction = z.infer<typeof Reaction>;

/** A part of a message that is a widget: the first one says what the widget shows, later ones what users do with it. */
export const Submessage = z.strictObject({
  id: z.int(),
  message_id: z.int(),
  sender_id: z.int(),
  msg_type: z.string(),
  /** JSON text. */
  content: z.string(),
});
export type Submessage = z.infer<typeof Submessage>;

/** A message as events carry it. Only channel messages have `stream_id`. */
export const Message = z.strictObject({
  id: z.int(),
  type: z.enum(['stream', 'private']),
  sender_id: z.int(),
  sender_email: z.string(),
  sender_full_name: z.string(),
  sender_realm_str: z.string(),
  recipient_id: z.int(),
  display_recipient: z.union([z.string(), z.array(DisplayRecipient)]),
  stream_id: z.int().optional(),
  subject: TopicName,
  content: z.string(),
  content_type: z.enum(['text/html', 'text/x-markdown']),
  timestamp: z.int(),
  client: z.string(),
  avatar_url: z.string().nullable(),
  is_me_message: z.boolean(),
  /** Reactions in the order in which they were added. */
  reactions: z.array(Reaction),
  /** Submessages in the order in which they were added. */
  submessages: z.array(Submessage),
  topic_links: z.array(z.strictObject({ text: z.string(), url: z.string() })),
});
export type Message = z.infer<typeof Message>;

/** One edit or move of a message. It holds only what changed. */
export const EditHistoryEntry = z.strictObject({
  user_id: z.int().nullable(),
  timestamp: z.int(),
  prev_content: z.string().optional(),
  prev_rendered_content: z.string().optional(),
  prev_stream: z.int().optional(),
  stream: z.int().optional(),
  prev_topic: TopicName.optional(),
  topic: TopicName.optional(),
});
export type EditHistoryEntry = z.infer<typeof EditHistoryEntry>;

/** A message after one edit or move, with the values before it where they changed. A direct message has no topic. */
export const MessageSnapshot = EditHistoryEntry.extend({
  topic: z.string(),
  content: z.string(),
  rendered_content: z.string(),
  content_html_diff: z.string().optional(),
});
export type MessageSnapshot = z.infer<typeof MessageSnapshot>;

/** A message in a message list: with the reader's flags, and with the edits and moves since it was sent. */
export const FetchedMessage = Message.extend({
  flags: z.array(z.string()),
  /** Edits and moves, newest first. */
  edit_history: z.array(EditHistoryEntry).min(1).optional(),
  last_edit_timestamp: z.int().optional(),
  last_moved_timestamp: z.int().optional(),
  match_content: z.string().optional(),
  match_subject: TopicName.optional(),
});

export type FetchedMessage = z.infer<typeof FetchedMessage>;

/** What the name of a resolved topic begins with. */
export const resolvedPrefix = '✔ ';

export interface MessageVariant {
  apply_markdown: boolean;
  client_gravatar: boolean;
}

/** A message as the log stores it: with Markdown in `content`, HTML beside it, and the avatar that everyone may see. */
export interface MessageForms {
  message: Message;
  rendered_content: string;
  /** True if the avatar is a gravatar. Clients that compute gravatars themselves are sent null instead. */
  is_gravatar: boolean;
}

/** Returns the message in the form that a client asked for. No other function does this. */
export function messageFor(
  { message, rendered_content, is_gravatar }: MessageForms,
  variant: MessageVariant,
): Message {
  const form: Message = variant.apply_markdown
    ? { ...message, content: rendered_content, content_type: 'text/html' }
    : { ...message };
  if (is_gravatar && variant.client_gravatar) form.avatar_url = null;
  return form;
}
