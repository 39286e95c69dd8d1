import { z } from 'zod';

import { eventFamily } from './family.ts';

const shape = {
  sender_id: z.int(),
  message_id: z.int(),
  recipient: z.union([
    z.strictObject({ type: z.literal('channel'), channel_id: z.int(), topic: z.string() }),
    z.strictObject({ type: z.literal('direct'), user_ids: z.array(z.int()) }),
  ]),
};

/** Somebody begins or ceases to edit a message. Sent to those who have it and want to know. */
export const typingEditMessage = eventFamily('typing_edit_message', { start: shape, stop: shape });
