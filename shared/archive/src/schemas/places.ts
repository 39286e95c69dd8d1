import { parseChannelFolderName, parseChannelName, parseDefaultChannelGroupName } from '@parley/model';
import * as model from '@parley/model';
import { channelGroupSettings, draftTypes, limits } from '@parley/protocol';
import { z } from 'zod';

import { allOf } from './permissions.ts';
import {
  bigId,
  bigIdMax,
  count,
  html,
  id,
  idMax,
  ids,
  like,
  openRanges,
  ordinal,
  parsed,
  ranges,
  sortedIds,
  text,
  time,
} from './values.ts';

const topicName = parsed(model.messages.parseTopicName);
/** What is written as a message. One of the server may be longer than those of users. */
export const messageText = text(2 * limits.messageLength).min(1);
const people = ids(limits.recipientsPerMessage);

export const channel_folders = z.strictObject({
  id,
  realm_id: id,
  name: parsed(parseChannelFolderName),
  description: text(limits.channelFolderDescriptionLength),
  rendered_description: html,
  position: count,
  creator_id: id.nullable(),
  created_at: time,
  is_archived: z.boolean(),
});

export const conversations = z.strictObject({
  id: bigId,
  realm_id: id,
  people: sortedIds(limits.recipientsPerMessage + 1)
    .min(1)
    .nullable(),
});

export const channels = z
  .strictObject({
    id,
    realm_id: id,
    conversation_id: bigId,
    name: parsed(parseChannelName),
    description: text(limits.channelDescriptionLength),
    rendered_description: html,
    creator_id: id.nullable(),
    created_at: time,
    is_private: z.boolean(),
    is_web_public: z.boolean(),
    shares_history: z.boolean(),
    is_archived: z.boolean(),
    group_settings: allOf(channelGroupSettings),
    topics_policy: z.enum(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']),
    message_retention_days: z.int().min(-1).max(idMax).nullable(),
    folder_id: id.nullable(),
    is_default: z.boolean(),
    is_recently_active: z.boolean(),
    weekly_traffic: count.nullable(),
  })
  .refine(
    ({ is_private, is_web_public, shares_history }) =>
      !(is_private && is_web_public) && (is_private || shares_history),
  );

export const default_channel_groups = z.strictObject({
  id,
  realm_id: id,
  name: parsed(parseDefaultChannelGroupName),
  description: text(limits.channelDescriptionLength),
  channel_ids: ids(limits.principalsPerRequest),
});

export const topics = z.strictObject({ id: bigId, channel_id: id, name: topicName });

const choice = z.boolean().nullable();

export const conversation_members = z.strictObject({
  conversation_id: bigId,
  user_id: id,
  is_subscribed: z.boolean(),
  received: openRanges,
  read: openRanges,
  color: like(/^#[0-9a-f]{6}$/),
  pin_to_top: z.boolean(),
  is_muted: z.boolean(),
  was_subscribed: z.boolean(),
  desktop_notifications: choice,
  audible_notifications: choice,
  push_notifications: choice,
  email_notifications: choice,
  wildcard_mentions_notify: choice,
});

export const conversation_heads = z.strictObject({ conversation_id: bigId, ordinal });

/** How a topic is shown to somebody: muted, unmuted, followed. */
const policies = [1, 2, 3] as const;

export const user_topics = z.strictObject({
  user_id: id,
  topic_id: bigId,
  policy: z.literal(policies),
  updated_at: time,
});

/** A topic as drafts have it: cut, and not yet trimmed. */
const draftTopic = text(limits.topicLength);

export const drafts = z
  .strictObject({
    id: bigId,
    user_id: id,
    type: z.enum(draftTypes),
    recipients: people,
    topic: draftTopic,
    content: messageText,
    edited_at: time,
  })
  .refine(({ type, recipients, topic }) =>
    type === 'stream'
      ? recipients.length === 1
      : topic === '' && (type === 'private') === recipients.length > 0,
  );

const client = text(limits.clientNameLength);

export const scheduled_messages = z
  .strictObject({
    id: bigId,
    user_id: id,
    type: z.enum(['stream', 'private']),
    recipients: people.min(1),
    topic: topicName,
    content: messageText,
    rendered_content: html,
    client,
    read_by_sender: z.boolean(),
    due_at: time,
    failure_message: text(1000).nullable(),
    sent_at: z.null(),
  })
  .refine(({ type, recipients, topic }) => (type === 'stream' ? recipients.length === 1 : topic === ''));

export const scheduled_message_attachments = z.strictObject({
  scheduled_message_id: bigId,
  attachment_id: bigId,
});

export const reminders = z.strictObject({
  id: bigId,
  user_id: id,
  // It may be gone.
  message_id: z.int().min(0).max(bigIdMax),
  note: text(limits.reminderNoteLength),
  content: messageText,
  rendered_content: html,
  due_at: time,
});

export const message_moves = z.strictObject({
  id: bigId,
  realm_id: id,
  user_id: id,
  moved_at: time,
  message_ids: ranges,
  prev_channel_id: id,
  channel_id: id,
  prev_topic: topicName,
  topic: topicName,
  is_resolving: z.boolean(),
});
