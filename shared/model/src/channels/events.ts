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

/** A channel's first message may be sent at this very moment: the log knows whether it came before. */
export const firstMessageIdPlaceholder = ({ conversationId }: ChannelRow, list: string) => ({
  conversationId,
  path: [list, '0', 'first_message_id'],
});

interface SubscriptionGroup {
  users: number[];
  membership: Membership;
  inherited: InheritedSettings;
}

/** To each of some subscribers that they are: one event for all who have set the same. */
export function subscriptionAddedEvents(
  channel: ChannelRow,
  record: Channel,
  subscribers: number[],
  users: Pick<UserRow, 'id' | 'settings'>[],
  memberships: ReadonlyMap<number, Membership>,
): PendingEvent[] {
  const alike = new Map<string, SubscriptionGroup>();
  for (const user of users) {
    const membership = memberships.get(user.id);
    if (!membership) continue;
    const inherited = inheritedSettings(fullUserSettings(user.settings));
    const { stream_id: _, ...mine } = presentSubscription(record, membership);
    const key = JSON.stringify([mine, inherited]);
    const told = alike.get(key) ?? { users: [], membership, inherited };
    told.users.push(user.id);
    alike.set(key, told);
  }
  return [...alike.values()].map(({ users: ids, membership, inherited }) => ({
    event: events.subscription.add({
      subscriptions: [{ ...presentSubscription(record, membership), subscribers }],
      inherited,
    }),
    users: ids,
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

/** Events about an archived channel are for clients that know of such. */
export const archivedChannelFields = ({ isArchived }: ChannelRow) =>
  isArchived ? ({ of_archived: 'archived' } as const) : {};

/** One property of a channel, to these. */
export const channelUpdateEvent = (
  watchers: Audience,
  rules: Rules,
  channel: ChannelRow,
  [property, value]: readonly [ChannelProperty, Value],
  extra: Extra = {},
): PendingEvent =>
  toChannelAudience(
    watchers,
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

/** To those who see the channel from now on: that it is there, and who is in it. */
export function channelAddedEvents(
  gain: ChannelAccessChange['gain'],
  rules: Rules,
  channel: ChannelRow,
  facts: ChannelHead,
  subscribers: number[],
): PendingEvent[] {
  if (!gain) return [];
  const created = events.stream.create({
    streams: [presentChannel(channel, facts, rules)],
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

/** To those who see the channel no more. */
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
