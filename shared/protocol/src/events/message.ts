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
    /** Set where it comes as read to everybody but these. */
    unread_for: z.array(z.int()).optional(),
    /** Everyone who hears it is mentioned. */
    mentions_channel: z.literal(true).optional(),
    echo: z.strictObject({ queue_id: z.string(), local_id: z.string() }).optional(),
  },
  {
    forClient: (logged, client) => [{ type: 'message', message: messageFor(logged, client) }],
    forQueue(logged, { id, userId }) {
      const mine = flagsFor(logged, userId);
      if (logged.echo?.queue_id === id) return { flags: mine, local_message_id: logged.echo.local_id };
      // One object for nearly everybody: whoever caches by identity has nothing to compare.
      return mine.length === 0 ? unflagged : { flags: mine };
    },
  },
);

interface Flagged {
  flags: Record<string, number[]>;
  unread_for?: number[] | undefined;
  mentions_channel?: true | undefined;
}

const wildcards = ['stream_wildcard_mentioned', 'topic_wildcard_mentioned'];

/** The flags that a message starts with for a user. */
export function flagsFor({ flags, unread_for, mentions_channel }: Flagged, userId: number): string[] {
  const mine: string[] = [];
  for (const name in flags) if (flags[name]?.includes(userId)) mine.push(name);
  if (unread_for && !unread_for.includes(userId) && !mine.includes('read')) mine.unshift('read');
  if (mentions_channel) mine.push('stream_wildcard_mentioned');
  // What clients called either of the two before they were told apart.
  if (mine.some((flag) => wildcards.includes(flag))) mine.push('wildcard_mentioned');
  return mine;
}
