import { z } from 'zod';

import { emptyTopicDisplayName } from '../objects/message.ts';
import { event } from './family.ts';

/** Whose flags a message has after an edit; the log fills them in at the event's own place. */
const Marks = z.strictObject({
  flags: z.record(z.string(), z.array(z.int())),
  /** Who has it still to read. Of a very large conversation, only those among them who have another flag. */
  unread: z.array(z.int()),
  /** Everyone who received it was mentioned, too many to list. */
  mentions_channel: z.literal(true).optional(),
});
type Marks = z.infer<typeof Marks>;

export const noMarks: Marks = { flags: {}, unread: [] };

/** How far a move takes other messages of the topic along. */
export const propagateModes = ['change_one', 'change_later', 'change_all'] as const;
export type PropagateMode = (typeof propagateModes)[number];

/**
 * The content of a message, or the topic or channel of several, changed. Sent to those who received one of them or
 * may read their history, but for those who lose sight of them by a move: they hear delete_message.
 */
export const updateMessage = event(
  'update_message',
  {
    user_id: z.int().nullable(),
    rendering_only: z.boolean(),
    message_id: z.int(),
    /** Ascending; of a content edit alone, the message itself. */
    message_ids: z.array(z.int()),
    edit_timestamp: z.int(),
    stream_name: z.string().optional(),
    stream_id: z.int().optional(),
    new_stream_id: z.int().optional(),
    orig_subject: z.string().optional(),
    subject: z.string().optional(),
    topic_links: z.array(z.strictObject({ text: z.string(), url: z.string() })).optional(),
    /** With a move only: some clients refuse it without one. */
    propagate_mode: z.enum(propagateModes).optional(),
    orig_content: z.string().optional(),
    orig_rendered_content: z.string().optional(),
    content: z.string().optional(),
    rendered_content: z.string().optional(),
    is_me_message: z.boolean().optional(),
    marks: Marks,
  },
  {
    forClient(logged, client) {
      const { marks: _, ...shown } = logged;
      if (client.empty_topic_name) return [shown];
      if (shown.orig_subject === '') shown.orig_subject = emptyTopicDisplayName;
      if (shown.subject === '') shown.subject = emptyTopicDisplayName;
      return [shown];
    },
    forQueue: ({ marks }, { userId }) => ({ flags: flagsAfter(marks, userId) }),
  },
);

const wildcards = ['stream_wildcard_mentioned', 'topic_wildcard_mentioned'];

function flagsAfter({ flags, unread, mentions_channel }: Marks, userId: number): string[] {
  const mine = unread.includes(userId) ? [] : ['read'];
  for (const name in flags) if (flags[name]?.includes(userId)) mine.push(name);
  if (mentions_channel) mine.push('stream_wildcard_mentioned');
  if (mine.some((flag) => wildcards.includes(flag))) mine.push('wildcard_mentioned');
  return mine;
}
