import { z } from 'zod';

import { Message, messageFor } from '../objects/message.ts';
import { event } from './family.ts';

const unflagged = { flags: [] };

/**
 * A new message. The log holds it once, in both forms; each client is sent the form it asked for, each queue its
 * user's flags, and the sending queue its own local id back.
 */
export const message = event(
  'message',
  {
    message: Message,
    rendered_content: z.string(),
    is_gravatar: z.boolean(),
    /** Users who start with a flag. Absent users start with none. */
    flags: z.record(z.string(), z.array(z.int())),
    echo: z.strictObject({ queue_id: z.string(), local_id: z.string() }).optional(),
  },
  {
    forClient: (logged, client) => [{ type: 'message', message: messageFor(logged, client) }],
    forQueue({ flags, echo }, { id, userId }) {
      const mine = flagsOf(flags, userId);
      if (echo?.queue_id === id) return { flags: mine, local_message_id: echo.local_id };
      // One object for nearly everybody: whoever caches by identity has nothing to compare.
      return mine.length === 0 ? unflagged : { flags: mine };
    },
  },
);

export function flagsOf(flags: Record<string, number[]>, userId: number): string[] {
  const mine: string[] = [];
  for (const name in flags) if (flags[name]?.includes(userId)) mine.push(name);
  return mine;
}
