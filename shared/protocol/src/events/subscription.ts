import { z } from 'zod';

import { InheritedSettings, Subscription, subscriptionFor } from '../objects/channel.ts';
import { eventFamily, sentEvent } from './family.ts';
import { ofArchived, reachesClient } from './of-archived.ts';

const peerIds = { stream_ids: z.array(z.int()), user_ids: z.array(z.int()) };
const peers = { ...peerIds, of_archived: ofArchived };
const left = { subscriptions: z.array(z.strictObject({ stream_id: z.int(), name: z.string() })) };
const value = z.union([z.string(), z.boolean()]);

/** Properties of a subscription that the subscriber may set. */
export const subscriptionProperties = [
  'color',
  'is_muted',
  'pin_to_top',
  'desktop_notifications',
  'audible_notifications',
  'push_notifications',
  'email_notifications',
  'wildcard_mentions_notify',
] as const;
export type SubscriptionProperty = (typeof subscriptionProperties)[number];

/**
 * Subscriptions changed. `add`, `remove` and `update` are sent to the subscribed users themselves, `peer_add` and
 * `peer_remove` to others who have access to the channels.
 */
export const subscription = eventFamily(
  'subscription',
  {
    /**
     * `inherited` holds the settings that all recipients have chosen for the properties that a subscription leaves
     * null. If the subscriptions do not list subscribers, these are the members of the audience `subscribers_of`.
     */
    add: {
      subscriptions: z.array(Subscription),
      subscribers_of: z.int().optional(),
      inherited: InheritedSettings,
      of_archived: ofArchived,
    },
    remove: { ...left, of_archived: ofArchived },
    update: {
      stream_id: z.int(),
      property: z.enum(subscriptionProperties),
      value,
      of_archived: ofArchived,
    },
    peer_add: peers,
    peer_remove: peers,
  },
  {
    sent: [
      sentEvent('subscription', { op: z.literal('add'), subscriptions: z.array(Subscription) }),
      sentEvent('subscription', { op: z.literal('remove'), ...left }),
      sentEvent('subscription', {
        op: z.literal('update'),
        stream_id: z.int(),
        property: z.enum([...subscriptionProperties, 'in_home_view']),
        value,
      }),
      sentEvent('subscription', { op: z.literal('peer_add'), ...peerIds }),
      sentEvent('subscription', { op: z.literal('peer_remove'), ...peerIds }),
    ],
    forClient({ of_archived, ...event }, client, { membersOf }) {
      if (!reachesClient(of_archived, client)) return [];
      if (event.op === 'add') {
        const { inherited, subscribers_of: audience, ...added } = event;
        const listed =
          audience !== undefined && client.include_subscribers
            ? { subscribers: [...Uint32Array.from(membersOf(audience)).sort()] }
            : {};
        const subscriptions = added.subscriptions.map((record) =>
          subscriptionFor({ ...record, ...listed }, inherited, client),
        );
        return [{ ...added, subscriptions }];
      }
      if (event.op === 'update' && event.property === 'is_muted') {
        return [{ ...event, property: 'in_home_view', value: !event.value }, event];
      }
      if (event.op === 'peer_remove') {
        const { user_ids: _, ...removed } = event;
        return [removed];
      }
      return [event];
    },
    forQueue(event, { userId }) {
      if (event.op !== 'peer_remove') return noFields;
      // A user who is removed together with others still gets `peer_remove` for those others. About the user's own
      // subscription there is `remove`.
      if (event.user_ids.includes(userId)) {
        return { user_ids: event.user_ids.filter((id) => id !== userId) };
      }
      const fields = remainingUsers.get(event) ?? { user_ids: event.user_ids };
      remainingUsers.set(event, fields);
      return fields;
    },
  },
);

const noFields = {};
/** Nearly all queues get this same object, so that caches can compare it by identity. */
const remainingUsers = new WeakMap<object, { user_ids: number[] }>();
