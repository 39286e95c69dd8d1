import { z } from 'zod';

import { Message, messageFor } from '../objects/message.ts';
import { event, sentEvent } from './family.ts';

const noFlags = { flags: [] };

/**
 * A new message. The log holds it once, as Markdown and as HTML. Each client is sent the form that it asked for, each
 * queue the flags of its user, and the sending queue also gets its own local id back.
 */
export const message = event(
  'message',
  {
    message: Message,
    rendered_content: z.string(),
    is_gravatar: z.boolean(),
    /** Users by the flag that the message starts with for them. A user who is not listed starts with none. */
    flags: z.record(z.string(), z.array(z.int())),
    /** If present, the message starts as read for everyone but these users. */
    unread_for: z.array(z.int()).optional(),
    /** True if everyone who receives the message is mentioned. */
    mentions_channel: z.literal(true).optional(),
    echo: z.strictObject({ queue_id: z.string(), local_id: z.string() }).optional(),
  },
  {
    sent: [
      sentEvent('message', {
        message: Message,
        flags: z.array(z.string()),
        local_id: z.string().optional(),
        local_message_id: z.string().optional(),
      }),
    ],
    forClient: (logged, client) => [{ type: 'message', message: messageFor(logged, client) }],
    forQueue(logged, { id, userId }) {
      const own = flagsFor(logged, userId);
      if (logged.echo?.queue_id === id) {
        const { local_id } = logged.echo;
        // The contract names the first; clients that exist read the second.
        return { flags: own, local_id, local_message_id: local_id };
      }
      // Nearly all users get this same object, so that caches can compare it by identity.
      return own.length === 0 ? noFlags : { flags: own };
    },
  },
);

interface Flagged {
  flags: Record<string, number[]>;
  unread_for?: number[] | undefined;
  mentions_channel?: true | undefined;
}

const wildcards = ['stream_wildcard_mentioned', 'topic_wildcard_mentioned'];

/** Returns the flags that a message starts with for a user. */
export function flagsFor({ flags, unread_for, mentions_channel }: Flagged, userId: number): string[] {
  const own: string[] = [];
  for (const name in flags) if (flags[name]?.includes(userId)) own.push(name);
  if (unread_for && !unread_for.includes(userId) && !own.includes('read')) own.unshift('read');
  if (mentions_channel) own.push('stream_wildcard_mentioned');
  // The name that clients used for both kinds of wildcard mention before they were separated.
  if (own.some((flag) => wildcards.includes(flag))) own.push('wildcard_mentioned');
  return own;
}
