import { type ChannelProperty, type Draft, events } from '@parley/protocol';

import type { Rules } from '../realms/rules.ts';
import { firstMessageIn } from './join.ts';
import { type ChannelFacts, type ChannelRow, presentChannel } from './present.ts';
import { type SightChange, toWatchers, underRules } from './sight.ts';
import type { Watchers } from './watchers.ts';

type Value = Parameters<typeof events.stream.update>[0]['value'];
type Extra = Partial<
  Pick<
    Parameters<typeof events.stream.update>[0],
    'rendered_description' | 'history_public_to_subscribers' | 'is_web_public'
  >
>;

/** Events about an archived channel are for clients that know of such. */
export const markOf = ({ isArchived }: ChannelRow) =>
  isArchived ? ({ of_archived: 'archived' } as const) : {};

/** One property of a channel, to these. */
export const updateFor = (
  watchers: Watchers,
  rules: Rules,
  channel: ChannelRow,
  [property, value]: readonly [ChannelProperty, Value],
  extra: Extra = {},
): Draft =>
  toWatchers(
    watchers,
    rules,
    events.stream.update({
      stream_id: channel.id,
      name: channel.name,
      property,
      value,
      ...extra,
      ...markOf(channel),
    }),
  );

/** To those who see the channel from now on: that it is there, and who is in it. */
export function appearance(
  gain: SightChange['gain'],
  rules: Rules,
  channel: ChannelRow,
  facts: ChannelFacts,
  subscribers: number[],
): Draft[] {
  if (!gain) return [];
  const created = events.stream.create({
    streams: [presentChannel(channel, facts, rules)],
    ...markOf(channel),
  });
  const peers = events.subscription.peer_add({
    stream_ids: [channel.id],
    user_ids: subscribers,
    ...markOf(channel),
  });
  return [
    underRules(rules, { event: created, ...gain, firstMessage: firstMessageIn(channel, 'streams') }),
    ...(subscribers.length > 0 ? [underRules(rules, { event: peers, ...gain })] : []),
  ];
}

/** To those who see the channel no more. */
export function disappearance(lose: Watchers | null, rules: Rules, channel: ChannelRow): Draft[] {
  if (!lose) return [];
  const event = events.stream.delete({
    stream_ids: [channel.id],
    streams: [{ stream_id: channel.id }],
    ...markOf(channel),
  });
  return [underRules(rules, { event, ...lose })];
}
