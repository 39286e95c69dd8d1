import { z } from 'zod';

import { TopicName } from '../objects/topic-name.ts';
import { eventFamily } from './family.ts';

const person = z.strictObject({ user_id: z.int(), email: z.string() });
const shape = {
  message_type: z.enum(['direct', 'stream']),
  sender: person,
  /** Everyone in the conversation; for direct messages only. */
  recipients: z.array(person).optional(),
  /** The channel; for channel messages only. */
  stream_id: z.int().optional(),
  topic: TopicName.optional(),
};

/**
 * A user started or stopped typing a message. Sent to users who may receive the message and have typing notifications
 * turned on.
 */
export const typing = eventFamily(
  'typing',
  { start: shape, stop: shape },
  {
    forClient: (event, client) =>
      event.message_type === 'direct' || client.stream_typing_notifications ? [event] : [],
  },
);
