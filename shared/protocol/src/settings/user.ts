import { z } from 'zod';

import { Language } from './language.ts';

/** The event that older clients are sent about a change, beside `user_settings`. */
export type LegacyEvent = 'update_display_settings' | 'update_global_notifications';

interface Setting<Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  default: z.output<Schema>;
  legacy: LegacyEvent | null;
  /** True if an organization cannot set its default for new accounts. */
  isPersonal?: boolean;
  /** True if sending a message depends on the sender's or a recipient's value. */
  isForSending?: boolean;
}

const setting = <Schema extends z.ZodType>(
  schema: Schema,
  value: z.output<Schema>,
  legacy: LegacyEvent | null = null,
  more: Pick<Setting, 'isPersonal' | 'isForSending'> = {},
): Setting<Schema> => ({ schema, default: value, legacy, ...more });

const display = 'update_display_settings';
const notification = 'update_global_notifications';
const bool = (value: boolean, legacy: LegacyEvent | null = null) => setting(z.boolean(), value, legacy);
const oneOf = (
  values: readonly number[],
  value: number,
  legacy: LegacyEvent | null = null,
  more: Pick<Setting, 'isForSending'> = {},
) =>
  setting(
    z.int().refine((number) => values.includes(number), 'is not one of the possible values'),
    value,
    legacy,
    more,
  );
const forSending = { isForSending: true };

export const notificationSounds = ['zulip', 'bell', 'chime', 'ding', 'tick', 'none'] as const;
export const emojiSets = [
  { key: 'google', text: 'Google' },
  { key: 'twitter', text: 'Twitter' },
  { key: 'text', text: 'Plain text' },
] as const;

/** The settings of a user with the defaults of a new account. */
export const userSettings = {
  twenty_four_hour_time: bool(false, display),
  starred_message_counts: bool(true, display),
  receives_typing_notifications: bool(true),
  web_mark_read_on_scroll_policy: oneOf([1, 2, 3], 1),
  // The contract describes a list of topics as 3, and does not allow it.
  web_channel_default_view: oneOf([1, 2, 4], 1),
  web_suggest_update_timezone: bool(true),
  fluid_layout_width: bool(false, display),
  high_contrast_mode: bool(false, display),
  left_side_userlist: bool(false, display),
  translate_emoticons: setting(z.boolean(), false, display, forSending),
  enter_sends: bool(false, display),
  display_emoji_reaction_users: bool(true),
  web_font_size_px: setting(z.int().min(1).max(200), 16),
  web_line_height_percent: setting(z.int().min(1).max(1000), 140),
  web_animate_image_previews: setting(z.enum(['always', 'on_hover', 'never']), 'on_hover'),
  color_scheme: oneOf([1, 2, 3], 1, display),
  default_language: setting(Language, 'en', display, { isPersonal: true }),
  web_home_view: setting(z.enum(['inbox', 'recent_topics', 'all_messages']), 'inbox'),
  web_escape_navigates_to_home_view: bool(true),
  emojiset: setting(z.enum(['google', 'twitter', 'text']), 'google', display),
  demote_inactive_streams: oneOf([1, 2, 3], 1, display),
  user_list_style: oneOf([1, 2, 3], 3),
  web_stream_unreads_count_display_policy: oneOf([1, 2, 3], 2),
  web_left_sidebar_unreads_count_summary: bool(true),
  web_left_sidebar_show_channel_folders: bool(true),
  web_navigate_to_sent_message: bool(true),
  hide_ai_features: bool(false),
  enable_drafts_synchronization: bool(true, display),
  enable_stream_desktop_notifications: bool(false, notification),
  enable_stream_email_notifications: bool(false, notification),
  enable_stream_push_notifications: bool(false, notification),
  enable_stream_audible_notifications: bool(false, notification),
  enable_followed_topic_desktop_notifications: bool(true),
  enable_followed_topic_email_notifications: bool(true),
  enable_followed_topic_push_notifications: bool(true),
  enable_followed_topic_audible_notifications: bool(true),
  enable_followed_topic_wildcard_mentions_notify: bool(true),
  notification_sound: setting(z.enum(notificationSounds), 'zulip', notification),
  enable_desktop_notifications: bool(true, notification),
  enable_sounds: bool(true, notification),
  pm_content_in_desktop_notifications: bool(true, notification),
  wildcard_mentions_notify: bool(true, notification),
  enable_offline_email_notifications: bool(true, notification),
  enable_offline_push_notifications: bool(true, notification),
  enable_online_push_notifications: bool(true, notification),
  message_content_in_email_notifications: bool(true, notification),
  enable_digest_emails: bool(true, notification),
  enable_marketing_emails: setting(z.boolean(), true, notification, { isPersonal: true }),
  enable_login_emails: setting(z.boolean(), true, notification, { isPersonal: true }),
  email_notifications_batching_period_seconds: setting(z.int().min(1).max(604_800), 120, notification),
  desktop_icon_count_display: oneOf([1, 2, 3, 4], 1, notification),
  realm_name_in_email_notifications_policy: oneOf([1, 2, 3], 1),
  automatically_follow_topics_policy: oneOf([1, 2, 3, 4], 3, null, forSending),
  automatically_unmute_topics_in_muted_streams_policy: oneOf([1, 2, 3, 4], 2, null, forSending),
  automatically_follow_topics_where_mentioned: setting(z.boolean(), true, null, forSending),
  resolved_topic_notice_auto_read_policy: setting(
    z.enum(['always', 'except_followed', 'never']),
    'except_followed',
  ),
  presence_enabled: bool(true, notification),
  send_private_typing_notifications: bool(true),
  send_stream_typing_notifications: bool(true),
  send_read_receipts: bool(true),
  allow_private_data_export: setting(z.boolean(), false, null, { isPersonal: true }),
  /**
   * Who sees the user's real email address: 1 everyone, 2 members, 3 administrators, 4 nobody, 5 moderators. It is
   * stored in a column of its own.
   */
  email_address_visibility: oneOf([1, 2, 3, 4, 5], 1, null, forSending),
} as const satisfies Record<string, Setting>;

export type UserSetting = keyof typeof userSettings;

/** The value of any setting. */
export const SettingValue = z.union([z.boolean(), z.int(), z.string()]);
export type SettingValue = z.infer<typeof SettingValue>;

/** All settings with their rows, for code that treats them alike. */
export const userSettingRows: readonly (readonly [UserSetting, Setting])[] = Object.entries(
  userSettings,
) as unknown as readonly [UserSetting, Setting][];

/**
 * Returns the event that older clients are sent for a setting; null if there is none. The profile's time zone was a
 * setting then.
 */
export const legacyEventOf = (property: string): LegacyEvent | null =>
  property === 'timezone'
    ? display
    : (userSettingRows.find(([name]) => name === property)?.[1].legacy ?? null);

/** The settings that an organization has chosen as defaults for new accounts. */
export type UserDefaults = Partial<UserSettings>;
export type UserSettings = { [Name in UserSetting]: z.output<(typeof userSettings)[Name]['schema']> };

const defaults = Object.fromEntries(
  Object.entries(userSettings).map(([name, { default: value }]) => [name, value]),
);

/** Returns a user's effective settings: the stored values over the defaults. */
export function fullUserSettings(stored: Partial<UserSettings>): UserSettings {
  // Safe: the defaults have every name, each with a value that matches its schema.
  return { ...defaults, ...stored } as UserSettings;
}
