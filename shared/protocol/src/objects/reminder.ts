import { z } from 'zod';

/** A direct message to oneself that is about another message, to be sent later. */
export const Reminder = z.strictObject({
  reminder_id: z.int(),
  type: z.literal('private'),
  to: z.array(z.int()),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean(),
  reminder_target_message_id: z.int(),
});
export type Reminder = z.infer<typeof Reminder>;
