import { z } from 'zod';

import { TopicName } from '../objects/topic-name.ts';
import { event, sentEvent } from './family.ts';

/** A message's flags for all of its readers after an edit. The append fills them in as they are at the event's seq. */
const SharedFlags = z.strictObject({
  flags: z.record(z.string(), z.array(z.int())),
  /**
   * Users who have not read the message. In a very large conversation it lists only those of them who have another
   * flag on the message.
   */
  unread: z.array(z.int()),
  /** True if everyone who received the message was mentioned and they are too many to list. */
  mentions_channel: z.literal(true).optional(),
});
type SharedFlags = z.infer<typeof SharedFlags>;

/** The value that an event is constructed with, before the append fills in the real flags. */
export const noSharedFlags: SharedFlags = { flags: {}, unread: [] };

/** Which other messages of the topic move along with a moved message. */
export const propagateModes = ['change_one', 'change_later', 'change_all'] as const;
export type PropagateMode = (typeof propagateModes)[number];

const edited = {
  user_id: z.int().nullable(),
  rendering_only: z.boolean(),
  message_id: z.int(),
  /** Ids in ascending order. After an edit of content alone, this is only the message itself. */
  message_ids: z.array(z.int()),
  edit_timestamp: z.int(),
  stream_name: z.string().optional(),
  stream_id: z.int().optional(),
  new_stream_id: z.int().optional(),
  orig_subject: TopicName.optional(),
  subject: TopicName.optional(),
  topic_links: z.array(z.strictObject({ text: z.string(), url: z.string() })).optional(),
  /** Present for moves only, because some clients reject an event that has it without a move. */
  propagate_mode: z.enum(propagateModes).optional(),
  orig_content: z.string().optional(),
  orig_rendered_content: z.string().optional(),
  content: z.string().optional(),
  rendered_content: z.string().optional(),
  is_me_message: z.boolean().optional(),
};

/**
 * The content of a message changed, or the topic or channel of several messages. It is sent to those who received one
 * of the messages or may read their history. Users who lose access by a move get delete_message instead.
 */
export const updateMessage = event(
  'update_message',
  { ...edited, shared_flags: SharedFlags },
  {
    sent: [sentEvent('update_message', { ...edited, flags: z.array(z.string()) })],
    forClient(logged) {
      const { shared_flags: _, ...sent } = logged;
      return [sent];
    },
    forQueue: ({ shared_flags }, { userId }) => ({ flags: flagsAfterEdit(shared_flags, userId) }),
  },
);

const wildcards = ['stream_wildcard_mentioned', 'topic_wildcard_mentioned'];

function flagsAfterEdit({ flags, unread, mentions_channel }: SharedFlags, userId: number): string[] {
  const own = unread.includes(userId) ? [] : ['read'];
  for (const name in flags) if (flags[name]?.includes(userId)) own.push(name);
  if (mentions_channel) own.push('stream_wildcard_mentioned');
  if (own.some((flag) => wildcards.includes(flag))) own.push('wildcard_mentioned');
  return own;
}
