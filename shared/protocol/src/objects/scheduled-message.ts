import { z } from 'zod';

import { TopicName } from './topic-name.ts';

const shape = {
  scheduled_message_id: z.int(),
  content: z.string(),
  rendered_content: z.string(),
  scheduled_delivery_timestamp: z.int(),
  failed: z.boolean(),
};

/** A message that is to be sent later. `to` is the channel's id, or the ids of the other users. */
export const ScheduledMessage = z.discriminatedUnion('type', [
  z.strictObject({ ...shape, type: z.literal('stream'), to: z.int(), topic: TopicName }),
  z.strictObject({ ...shape, type: z.literal('private'), to: z.array(z.int()) }),
]);
export type ScheduledMessage = z.infer<typeof ScheduledMessage>;
