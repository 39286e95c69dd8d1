import { z } from 'zod';

import { TopicName } from '../objects/topic-name.ts';
import { eventFamily } from './family.ts';

const changed = {
  /** The same as `op`, under the name that it had before. */
  operation: z.enum(['add', 'remove']),
  flag: z.string(),
  messages: z.array(z.int()),
  /** True if all messages were marked as read; `messages` is empty then. */
  all: z.boolean(),
};

/** The place of a message that became unread, for clients that do not have the message. */
const detail = z.strictObject({
  type: z.enum(['private', 'stream']),
  mentioned: z.literal(true).optional(),
  /** The other users of a direct conversation. */
  user_ids: z.array(z.int()).optional(),
  stream_id: z.int().optional(),
  topic: TopicName.optional(),
  unmuted_stream_msg: z.boolean().optional(),
});
export type UnreadDetail = z.infer<typeof detail>;

/** A user's flags on messages changed. Sent to that user only. */
export const updateMessageFlags = eventFamily('update_message_flags', {
  add: changed,
  remove: { ...changed, message_details: z.record(z.string(), detail).optional() },
});
