import { z } from 'zod';

import { TopicName } from '../objects/topic-name.ts';
import { eventFamily, sentEvent } from './family.ts';

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

const details = { message_details: z.record(z.string(), detail).optional() };

/** A user's flags on messages changed. Sent to that user only. */
export const updateMessageFlags = eventFamily(
  'update_message_flags',
  {
    add: changed,
    remove: {
      ...changed,
      ...details,
      /** Those of the messages that are in archived channels. */
      archived: z.array(z.int()).optional(),
    },
  },
  {
    sent: [
      sentEvent('update_message_flags', { op: z.literal('add'), ...changed }),
      sentEvent('update_message_flags', { op: z.literal('remove'), ...changed, ...details }),
    ],
    forClient(event, client) {
      if (event.op === 'add') return [event];
      const { archived = [], ...sent } = event;
      if (client.archived_channels || archived.length === 0) return [sent];
      const messages = sent.messages.filter((id) => !archived.includes(id));
      if (messages.length === 0) return [];
      const message_details = Object.fromEntries(
        messages.flatMap((id) => {
          const known = sent.message_details?.[String(id)];
          return known ? [[String(id), known]] : [];
        }),
      );
      return [{ ...sent, messages, message_details }];
    },
  },
);
