import { z } from 'zod';

import { type ChannelGroupSetting, GroupSetting, channelGroupSettings } from '../settings/groups.ts';

const groupSettings = Object.fromEntries(
  Object.keys(channelGroupSettings).map((name) => [name, GroupSetting]),
) as Record<ChannelGroupSetting, typeof GroupSetting>;

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
  topics_policy: z.enum(['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only']),
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

/** For clients without `notification_settings_null`: what is inherited becomes the user's own default, which is off. */
export function withoutInherited(subscription: Subscription): Subscription {
  const { desktop_notifications, audible_notifications, push_notifications, email_notifications } =
    subscription;
  return {
    ...subscription,
    desktop_notifications: desktop_notifications ?? false,
    audible_notifications: audible_notifications ?? false,
    push_notifications: push_notifications ?? false,
    email_notifications: email_notifications ?? false,
  };
}
