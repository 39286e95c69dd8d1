import { z } from 'zod';

import type { Client } from '../client.ts';
import { type ChannelGroupSetting, GroupSetting, channelGroupNames } from '../settings/groups.ts';

const groupSettings = Object.fromEntries(channelGroupNames.map((name) => [name, GroupSetting])) as Record<
  ChannelGroupSetting,
  typeof GroupSetting
>;

export const topicsPolicies = [
  'inherit',
  'allow_empty_topic',
  'disable_empty_topic',
  'empty_topic_only',
] as const;
export type TopicsPolicy = (typeof topicsPolicies)[number];

export const Channel = z.strictObject({
  stream_id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  date_created: z.int(),
  creator_id: z.int().nullable(),
  invite_only: z.boolean(),
  is_web_public: z.boolean(),
  is_archived: z.boolean(),
  history_public_to_subscribers: z.boolean(),
  is_announcement_only: z.boolean(),
  stream_post_policy: z.int(),
  first_message_id: z.int().nullable(),
  folder_id: z.int().nullable(),
  is_recently_active: z.boolean(),
  message_retention_days: z.int().nullable(),
  stream_weekly_traffic: z.int().nullable(),
  subscriber_count: z.int(),
  topics_policy: z.enum(topicsPolicies),
  ...groupSettings,
});
export type Channel = z.infer<typeof Channel>;

const inherited = z.boolean().nullable();

export const Subscription = Channel.extend({
  color: z.string(),
  pin_to_top: z.boolean(),
  is_muted: z.boolean(),
  in_home_view: z.boolean(),
  desktop_notifications: inherited,
  audible_notifications: inherited,
  push_notifications: inherited,
  email_notifications: inherited,
  wildcard_mentions_notify: inherited,
  subscribers: z.array(z.int()).optional(),
  partial_subscribers: z.array(z.int()).optional(),
});
export type Subscription = z.infer<typeof Subscription>;

/** The settings that a user has chosen for all channels whose subscription does not override them. */
export const InheritedSettings = z.strictObject({
  desktop_notifications: z.boolean(),
  audible_notifications: z.boolean(),
  push_notifications: z.boolean(),
  email_notifications: z.boolean(),
  /** Left out where it is true, as it is for nearly everyone. */
  wildcard_mentions_notify: z.literal(false).optional(),
});
export type InheritedSettings = z.infer<typeof InheritedSettings>;

/**
 * Returns a subscription in the form that a client asked for. Without the capability `notification_settings_null`, null
 * properties are replaced with the user's own settings.
 */
export function subscriptionFor(
  subscription: Subscription,
  inherited: InheritedSettings,
  client: Pick<Client, 'include_subscribers' | 'notification_settings_null'>,
): Subscription {
  const { subscribers: _all, partial_subscribers: _some, ...record } = subscription;
  const form: Subscription = client.include_subscribers ? subscription : record;
  if (client.notification_settings_null) return form;
  return {
    ...form,
    desktop_notifications: form.desktop_notifications ?? inherited.desktop_notifications,
    audible_notifications: form.audible_notifications ?? inherited.audible_notifications,
    push_notifications: form.push_notifications ?? inherited.push_notifications,
    email_notifications: form.email_notifications ?? inherited.email_notifications,
    wildcard_mentions_notify: form.wildcard_mentions_notify ?? inherited.wildcard_mentions_notify ?? true,
  };
}

/** A named set of channels that new users may choose. */
export const DefaultChannelGroup = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  streams: z.array(z.int()),
});
export type DefaultChannelGroup = z.infer<typeof DefaultChannelGroup>;

/** A folder in which channels are shown. */
export const ChannelFolder = z.strictObject({
  id: z.int(),
  name: z.string(),
  description: z.string(),
  rendered_description: z.string(),
  order: z.int(),
  date_created: z.int().nullable(),
  creator_id: z.int().nullable(),
  is_archived: z.boolean(),
});
export type ChannelFolder = z.infer<typeof ChannelFolder>;
