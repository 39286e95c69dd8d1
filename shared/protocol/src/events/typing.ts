import { z } from 'zod';

import { emptyTopicDisplayName } from '../objects/message.ts';
import { eventFamily } from './family.ts';

const person = z.strictObject({ user_id: z.int(), email: z.string() });
const shape = {
  message_type: z.enum(['direct', 'stream']),
  sender: person,
  /** Everyone in the conversation; for direct messages only. */
  recipients: z.array(person).optional(),
  /** The channel; for channel messages only. */
  stream_id: z.int().optional(),
  topic: z.string().optional(),
};

/**
 * A user started or stopped typing a message. Sent to users who may receive the message and have typing notifications
 * turned on.
 */
export const typing = eventFamily(
  'typing',
  { start: shape, stop: shape },
  {
    forClient(event, client) {
      if (event.message_type === 'direct') return [event];
      if (!client.stream_typing_notifications) return [];
      const hasEmptyTopic = event.topic === '' && !client.empty_topic_name;
      return [hasEmptyTopic ? { ...event, topic: emptyTopicDisplayName } : event];
    },
  },
);
