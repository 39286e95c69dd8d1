import type { ChannelRow, UserRow } from '@parley/db';
import {
  type InheritedSettings,
  type Channel,
  type PendingEvent,
  fullUserSettings,
  events,
  type Audience,
  type ChannelProperty,
} from '@parley/protocol';

import {
  toChannelAudience,
  type ChannelAccessChange,
  withRulesVersion,
} from '../access/channel-audiences.ts';
import type { Rules } from '../permissions/rules.ts';
import {
  type Membership,
  inheritedSettings,
  presentSubscription,
  type ChannelHead,
  presentChannel,
} from './present.ts';

/**
 * Returns where in an event the log fills in the id of a channel's first message. That message may be sent
 * concurrently, and only the log knows whether it comes before the event.
 */
export const firstMessageIdPlaceholder = ({ conversationId }: ChannelRow, list: string) => ({
  conversationId,
  path: [list, '0', 'first_message_id'],
});

interface SubscriptionGroup {
  users: number[];
  membership: Membership;
  inherited: InheritedSettings;
}

/**
 * Returns events for users who are subscribed to a channel. Users with the same settings share an event. Without
 * `subscribers` they name the channel's audience, of which nodes list the members.
 */
export function subscriptionAddedEvents(
  channel: ChannelRow,
  record: Channel,
  subscribers: number[] | null,
  users: Pick<UserRow, 'id' | 'settings'>[],
  memberships: ReadonlyMap<number, Membership>,
): PendingEvent[] {
  const groups = new Map<string, SubscriptionGroup>();
  for (const user of users) {
    const membership = memberships.get(user.id);
    if (!membership) continue;
    const inherited = inheritedSettings(fullUserSettings(user.settings));
    const { stream_id: _, ...subscription } = presentSubscription(record, membership);
    const key = JSON.stringify([subscription, inherited]);
    const group = groups.get(key) ?? { users: [], membership, inherited };
    group.users.push(user.id);
    groups.set(key, group);
  }
  return [...groups.values()].map(({ users: ids, membership, inherited }) => ({
    event: events.subscription.add({
      subscriptions: [{ ...presentSubscription(record, membership), ...(subscribers && { subscribers }) }],
      inherited,
    }),
    users: ids,
    ...(!subscribers && { subscribersOf: channel.conversationId }),
    firstMessage: firstMessageIdPlaceholder(channel, 'subscriptions'),
  }));
}

type Value = Parameters<typeof events.stream.update>[0]['value'];

type Extra = Partial<
  Pick<
    Parameters<typeof events.stream.update>[0],
    'rendered_description' | 'history_public_to_subscribers' | 'is_web_public'
  >
>;

/** Returns the field of events about an archived channel, which only clients that handle archived channels receive. */
export const archivedChannelFields = ({ isArchived }: ChannelRow) =>
  isArchived ? ({ of_archived: 'archived' } as const) : {};

/** Returns an event about one changed property of a channel. */
export const channelUpdateEvent = (
  audience: Audience,
  rules: Rules,
  channel: ChannelRow,
  [property, value]: readonly [ChannelProperty, Value],
  extra: Extra = {},
): PendingEvent =>
  toChannelAudience(
    audience,
    rules,
    events.stream.update({
      stream_id: channel.id,
      name: channel.name,
      property,
      value,
      ...extra,
      ...archivedChannelFields(channel),
    }),
  );

/** Returns events for users who gain metadata access to a channel: the channel and its subscribers. */
export function channelAddedEvents(
  gain: ChannelAccessChange['gain'],
  rules: Rules,
  channel: ChannelRow,
  head: ChannelHead,
  subscribers: number[],
): PendingEvent[] {
  if (!gain) return [];
  const created = events.stream.create({
    streams: [presentChannel(channel, head, rules)],
    ...archivedChannelFields(channel),
  });
  const peers = events.subscription.peer_add({
    stream_ids: [channel.id],
    user_ids: subscribers,
    ...archivedChannelFields(channel),
  });
  return [
    withRulesVersion(rules, {
      event: created,
      ...gain,
      firstMessage: firstMessageIdPlaceholder(channel, 'streams'),
    }),
    ...(subscribers.length > 0 ? [withRulesVersion(rules, { event: peers, ...gain })] : []),
  ];
}

/** Returns events for users who lose metadata access to a channel. */
export function channelRemovedEvents(
  lose: Audience | null,
  rules: Rules,
  channel: ChannelRow,
): PendingEvent[] {
  if (!lose) return [];
  const event = events.stream.delete({
    stream_ids: [channel.id],
    streams: [{ stream_id: channel.id }],
    ...archivedChannelFields(channel),
  });
  return [withRulesVersion(rules, { event, ...lose })];
}
