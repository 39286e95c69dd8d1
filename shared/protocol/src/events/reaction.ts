import { z } from 'zod';

import { Reaction } from '../objects/message.ts';
import { eventFamily } from './family.ts';

const reacted = {
  message_id: z.int(),
  ...Reaction.shape,
  /** Deprecated: `user_id` says it. */
  user: z.strictObject({ user_id: z.int(), email: z.string(), full_name: z.string() }),
};

/** An emoji on a message came or went. Sent to those who hear of what happens to the message. */
export const reaction = eventFamily('reaction', { add: reacted, remove: reacted });
