import { z } from 'zod';

import { Subscription, withoutInherited } from '../objects/channel.ts';
import { eventFamily } from './family.ts';

/** Who is subscribed to what: `add` to the subscribed user, `peer_add` to others who may see the channel. */
export const subscription = eventFamily(
  'subscription',
  {
    add: { subscriptions: z.array(Subscription) },
    peer_add: { stream_ids: z.array(z.int()), user_ids: z.array(z.int()) },
    peer_remove: { stream_ids: z.array(z.int()), user_ids: z.array(z.int()) },
  },
  {
    forClient(event, client) {
      if (event.op !== 'add' || client.notification_settings_null) return [event];
      return [{ ...event, subscriptions: event.subscriptions.map(withoutInherited) }];
    },
  },
);
