import { z } from 'zod';

import { emptyTopicDisplayName } from '../objects/message.ts';
import { eventFamily } from './family.ts';

const person = z.strictObject({ user_id: z.int(), email: z.string() });
const shape = {
  message_type: z.enum(['direct', 'stream']),
  sender: person,
  /** Of a direct message: everyone in the conversation. */
  recipients: z.array(person).optional(),
  /** Of a message to a channel. */
  stream_id: z.int().optional(),
  topic: z.string().optional(),
};

/** Somebody begins or ceases to write a message. Sent to those who may get it and want to know. */
export const typing = eventFamily(
  'typing',
  { start: shape, stop: shape },
  {
    forClient(event, client) {
      if (event.message_type === 'direct') return [event];
      if (!client.stream_typing_notifications) return [];
      const isUnnamed = event.topic === '' && !client.empty_topic_name;
      return [isUnnamed ? { ...event, topic: emptyTopicDisplayName } : event];
    },
  },
);
