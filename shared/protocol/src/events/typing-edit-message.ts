import { z } from 'zod';

import { TopicName } from '../objects/topic-name.ts';
import { eventFamily } from './family.ts';

const shape = {
  sender_id: z.int(),
  message_id: z.int(),
  recipient: z.union([
    z.strictObject({ type: z.literal('channel'), channel_id: z.int(), topic: TopicName }),
    z.strictObject({ type: z.literal('direct'), user_ids: z.array(z.int()) }),
  ]),
};

/**
 * A user started or stopped editing a message. Sent to users who received the message and have typing notifications
 * turned on.
 */
export const typingEditMessage = eventFamily('typing_edit_message', { start: shape, stop: shape });
