import { z } from 'zod';

import { ScheduledMessage } from '../objects/scheduled-message.ts';
import { eventFamily } from './family.ts';

/** A user's scheduled messages changed. Sent to that user's own clients. */
export const scheduledMessages = eventFamily('scheduled_messages', {
  add: { scheduled_messages: z.array(ScheduledMessage) },
  update: { scheduled_message: ScheduledMessage },
  remove: { scheduled_message_id: z.int() },
});
