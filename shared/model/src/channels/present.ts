import type { ChannelRow } from '@parley/db';
import type { Channel, Subscription, UserSettings, InheritedSettings } from '@parley/protocol';

import type { Rules } from '../permissions/rules.ts';
import { toSeconds } from '../time.ts';

/** What a conversation's head records of a channel. */
export interface ChannelHead {
  subscriberCount: number;
  firstMessageId: number | null;
}

/** The age from which a channel has a weekly traffic. */
const trafficAfterMs = 7 * 86_400_000;

export function presentChannel(
  channel: ChannelRow,
  { subscriberCount, firstMessageId }: ChannelHead,
  rules: Rules,
): Channel {
  const policy = legacyPostPolicy(channel, rules);
  const isYoung = Date.now() - channel.createdAt.getTime() < trafficAfterMs;
  return {
    stream_id: channel.id,
    name: channel.name,
    description: channel.description,
    rendered_description: channel.renderedDescription,
    date_created: toSeconds(channel.createdAt),
    creator_id: channel.creatorId,
    invite_only: channel.isPrivate,
    is_web_public: channel.isWebPublic,
    is_archived: channel.isArchived,
    history_public_to_subscribers: channel.sharesHistory,
    is_announcement_only: policy === postPolicies['role:administrators'],
    stream_post_policy: policy,
    first_message_id: firstMessageId,
    folder_id: channel.folderId,
    is_recently_active: channel.isRecentlyActive,
    message_retention_days: channel.messageRetentionDays,
    stream_weekly_traffic: isYoung ? null : channel.weeklyTraffic,
    subscriber_count: subscriberCount,
    topics_policy: channel.topicsPolicy,
    ...channel.groupSettings,
  };
}

const postPolicies: Readonly<Record<string, number>> = {
  'role:administrators': 2,
  'role:fullmembers': 3,
  'role:moderators': 4,
};

/** Returns who may post, as clients from before group permissions understand it. 1 is everyone. */
export function legacyPostPolicy(
  { groupSettings }: Pick<ChannelRow, 'groupSettings'>,
  { groups }: Rules,
): number {
  const setting = groupSettings.can_send_message_group;
  const name = typeof setting === 'number' ? groups.systemName(setting) : undefined;
  return postPolicies[name ?? ''] ?? 1;
}

/** A subscriber's own settings of a channel. */
export interface Membership {
  color: string;
  pinToTop: boolean;
  isMuted: boolean;
  desktopNotifications: boolean | null;
  audibleNotifications: boolean | null;
  pushNotifications: boolean | null;
  emailNotifications: boolean | null;
  wildcardMentionsNotify: boolean | null;
}

export function presentSubscription(channel: Channel, membership: Membership): Subscription {
  return {
    color: membership.color,
    pin_to_top: membership.pinToTop,
    is_muted: membership.isMuted,
    in_home_view: !membership.isMuted,
    desktop_notifications: membership.desktopNotifications,
    audible_notifications: membership.audibleNotifications,
    push_notifications: membership.pushNotifications,
    email_notifications: membership.emailNotifications,
    wildcard_mentions_notify: membership.wildcardMentionsNotify,
    ...channel,
  };
}

/** The property of subscriptions that inherits a setting of the account where it is null, by the setting. */
export const inheritedBy: Partial<Record<string, keyof InheritedSettings>> = {
  enable_stream_desktop_notifications: 'desktop_notifications',
  enable_stream_audible_notifications: 'audible_notifications',
  enable_stream_push_notifications: 'push_notifications',
  enable_stream_email_notifications: 'email_notifications',
  wildcard_mentions_notify: 'wildcard_mentions_notify',
} satisfies Partial<Record<keyof UserSettings, keyof InheritedSettings>>;

/** Returns the user's notification settings that a subscription without settings of its own inherits. */
export const inheritedSettings = (settings: UserSettings): InheritedSettings => ({
  desktop_notifications: settings.enable_stream_desktop_notifications,
  audible_notifications: settings.enable_stream_audible_notifications,
  push_notifications: settings.enable_stream_push_notifications,
  email_notifications: settings.enable_stream_email_notifications,
  ...(!settings.wildcard_mentions_notify && { wildcard_mentions_notify: false }),
});
