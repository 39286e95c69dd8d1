import type { tables } from '@parley/db';
import type { Channel, Subscription } from '@parley/protocol';

import { renderPlain } from '../messages/render.ts';

export type ChannelRow = typeof tables.channels.$inferSelect;

export interface ChannelFacts {
  subscriberCount: number;
  firstMessageId: number | null;
}

const seconds = (at: Date) => Math.floor(at.getTime() / 1000);

export function presentChannel(
  channel: ChannelRow,
  { subscriberCount, firstMessageId }: ChannelFacts,
): Channel {
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.description === '' ? '' : renderPlain(channel.description),
    date_created: seconds(channel.createdAt),
    creator_id: channel.creatorId,
    invite_only: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    is_archived: channel.isArchived,
    history_public_to_subscribers: channel.sharesHistory,
    is_announcement_only: false,
    stream_post_policy: 1,
    first_message_id: firstMessageId,
    folder_id: null,
    is_recently_active: true,
    message_retention_days: null,
    stream_weekly_traffic: null,
    subscriber_count: subscriberCount,
    topics_policy: 'inherit',
    ...channel.groupSettings,
  };
}

export interface Membership {
  color: string;
  pinToTop: boolean;
  isMuted: boolean;
}

export function presentSubscription(
  channel: Channel,
  { color, pinToTop, isMuted }: Membership,
): Subscription {
  return {
    ...channel,
    color,
    pin_to_top: pinToTop,
    is_muted: isMuted,
    in_home_view: !isMuted,
    desktop_notifications: null,
    audible_notifications: null,
    push_notifications: null,
    email_notifications: null,
    wildcard_mentions_notify: null,
  };
}
