import { z } from 'zod';

import { SlimPresence, legacyPresence } from '../objects/presence.ts';
import { event } from './family.ts';

/**
 * A user came online, or began or stopped sharing their presence. Sent to everyone in a realm that does not have too
 * many users.
 */
export const presence = event(
  'presence',
  { user_id: z.int(), email: z.string(), server_timestamp: z.number(), times: SlimPresence },
  {
    forClient({ type, user_id, email, server_timestamp, times }, client) {
      if (client.simplified_presence_events) return [{ type, presences: { [user_id]: times } }];
      const { website } = legacyPresence(times);
      const named = client.slim_presence ? { user_id } : { user_id, email };
      return [{ type, ...named, server_timestamp, presence: { website } }];
    },
  },
);
