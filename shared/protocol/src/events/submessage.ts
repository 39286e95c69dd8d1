import { z } from 'zod';

import { event } from './family.ts';

/** A submessage was added to a message that is a widget. Sent to everyone who may see the message. */
export const submessage = event('submessage', {
  message_id: z.int(),
  submessage_id: z.int(),
  sender_id: z.int(),
  msg_type: z.string(),
  content: z.string(),
});
