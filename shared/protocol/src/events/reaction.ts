import { z } from 'zod';

import { Reaction } from '../objects/message.ts';
import { eventFamily } from './family.ts';

const reacted = {
  message_id: z.int(),
  ...Reaction.shape,
  /** Deprecated: `user_id` identifies the user. */
  user: z.strictObject({ user_id: z.int(), email: z.string(), full_name: z.string() }),
};

/** An emoji reaction was added to a message or removed. Sent to those who receive changes of the message. */
export const reaction = eventFamily('reaction', { add: reacted, remove: reacted });
