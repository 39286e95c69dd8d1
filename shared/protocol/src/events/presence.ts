import { z } from 'zod';

import { LegacyPresence, SlimPresence, legacyPresence } from '../objects/presence.ts';
import { event, sentEvent } from './family.ts';

/**
 * A user came online, or began or stopped sharing their presence. Sent to everyone in a realm that does not have too
 * many users.
 */
export const presence = event(
  'presence',
  { user_id: z.int(), email: z.string(), server_timestamp: z.number(), times: SlimPresence },
  {
    sent: [
      sentEvent('presence', { presences: z.record(z.string(), SlimPresence) }),
      sentEvent('presence', {
        user_id: z.int(),
        email: z.string().optional(),
        server_timestamp: z.number(),
        presence: LegacyPresence.pick({ website: true }),
      }),
    ],
    forClient({ type, user_id, email, server_timestamp, times }, client) {
      if (client.simplified_presence_events) return [{ type, presences: { [user_id]: times } }];
      const { website } = legacyPresence(times);
      const named = client.slim_presence ? { user_id } : { user_id, email };
      return [{ type, ...named, server_timestamp, presence: { website } }];
    },
  },
);
