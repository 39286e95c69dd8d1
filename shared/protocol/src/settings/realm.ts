import { z } from 'zod';

import { limits } from '../limits.ts';
import { Language } from './language.ts';

interface Setting<Schema extends z.ZodType = z.ZodType> {
  schema: Schema;
  default: z.output<Schema>;
  /** True if changes are sent together in an `update_dict` event. */
  isInDict?: boolean;
  /** Only owners may change it. */
  isForOwners?: boolean;
  /** The value that `unlimited` stands for, if the setting is a limit. */
  unlimited?: null | -1;
  /** Set if the value is the id of a channel, with -1 for none. */
  isChannel?: 'any' | 'private';
  /** A value that this server cannot put into effect, with the text that refuses it. */
  refused?: { value: unknown; msg: string };
  /** Fields for older clients that are computed from the value. */
  derived?: Record<string, (value: never) => boolean>;
}

const setting = <Schema extends z.ZodType>(
  schema: Schema,
  value: z.output<Schema>,
  more: Omit<Setting, 'schema' | 'default'> = {},
): Setting<Schema> => ({ schema, default: value, ...more });

const forOwners = { isForOwners: true };

const bool = (value: boolean) => setting(z.boolean(), value);
const text = (max: number, value = '') => setting(z.string().max(max), value);
/** A number of seconds, or null for no limit. */
const seconds = (value: number, more = {}) =>
  setting(z.int().min(1).max(2_147_483_647).nullable(), value as number | null, { unlimited: null, ...more });
const channelId = (isChannel: 'any' | 'private') =>
  setting(z.int().min(-1).max(2_147_483_647), -1, { isChannel });

/** The services for video calls that an organization may choose. */
export const videoChatProviders = {
  disabled: { id: 0, name: 'None' },
  jitsi_meet: { id: 1, name: 'Jitsi Meet' },
} as const;

/** The strictest rating that animated pictures of a search may have. */
export const giphyRatings = {
  disabled: { id: 0, name: 'No animated pictures' },
  y: { id: 1, name: 'Y: for the very young' },
  g: { id: 2, name: 'G: for all ages' },
  pg: { id: 3, name: 'PG: with the guidance of parents' },
  'pg-13': { id: 4, name: 'PG-13: for the age of 13 and above' },
  r: { id: 5, name: 'R: for adults' },
} as const;

const idOf = (choices: Record<string, { id: number }>, value: number) =>
  setting(
    z
      .int()
      .refine(
        (id) => Object.values(choices).some((choice) => choice.id === id),
        'is not one of the possible values',
      ),
    value,
  );

/**
 * The settings of an organization with their defaults. One row here is everything that a setting needs: the field of
 * POST /register, the parameter of PATCH /realm and the event's value follow from it.
 */
export const realmSettings = {
  allow_message_editing: setting(z.boolean(), true, { isInDict: true }),
  avatar_changes_disabled: bool(false),
  default_code_block_language: text(40),
  default_language: setting(Language, 'en'),
  digest_emails_enabled: bool(false),
  digest_weekday: setting(z.int().min(0).max(6), 1),
  disallow_disposable_email_addresses: setting(z.boolean(), true, forOwners),
  email_changes_disabled: bool(false),
  emails_restricted_to_domains: setting(z.boolean(), false, forOwners),
  enable_guest_user_dm_warning: bool(true),
  enable_guest_user_indicator: bool(true),
  enable_read_receipts: bool(false),
  enable_spectator_access: bool(false),
  giphy_rating: idOf(giphyRatings, giphyRatings.g.id),
  inline_image_preview: bool(true),
  inline_url_embed_preview: bool(false),
  invite_required: setting(z.boolean(), true, forOwners),
  jitsi_server_url: setting(
    z
      .url({ protocol: /^https?$/ })
      .max(200)
      .nullable(),
    null,
  ),
  message_content_allowed_in_email_notifications: bool(true),
  message_content_delete_limit_seconds: seconds(600),
  message_content_edit_limit_seconds: seconds(600, { isInDict: true }),
  message_edit_history_visibility_policy: setting(z.enum(['all', 'moves', 'none']), 'all', {
    derived: { allow_edit_history: (policy: string) => policy !== 'none' },
  }),
  message_retention_days: setting(z.int().min(-1).max(2_147_483_647), -1, { ...forOwners, unlimited: -1 }),
  moderation_request_channel_id: channelId('private'),
  move_messages_between_streams_limit_seconds: seconds(604_800),
  move_messages_within_stream_limit_seconds: seconds(604_800),
  name_changes_disabled: bool(false),
  new_stream_announcements_stream_id: channelId('any'),
  org_type: setting(z.int().min(0).max(1000), 0),
  presence_disabled: bool(false),
  require_e2ee_push_notifications: bool(false),
  require_unique_names: bool(false),
  send_welcome_emails: bool(true),
  signup_announcements_stream_id: channelId('any'),
  topics_policy: setting(z.enum(['allow_empty_topic', 'disable_empty_topic']), 'allow_empty_topic', {
    isInDict: true,
    derived: { mandatory_topics: (policy: string) => policy === 'disable_empty_topic' },
  }),
  video_chat_provider: idOf(videoChatProviders, videoChatProviders.disabled.id),
  waiting_period_threshold: setting(z.int().min(0).max(3650), 0, forOwners),
  want_advertise_in_communities_directory: setting(z.boolean(), false, {
    refused: { value: true, msg: 'There is no directory of communities that this server could list you in.' },
  }),
  welcome_message_custom_text: text(limits.welcomeTextLength),
  zulip_update_announcements_stream_id: channelId('any'),
} as const satisfies Record<string, Setting>;

export type RealmSetting = keyof typeof realmSettings;

/** All settings with their rows, for code that treats them alike. */
export const realmSettingRows: readonly (readonly [RealmSetting, Setting])[] = Object.entries(
  realmSettings,
) as unknown as readonly [RealmSetting, Setting][];

/** Returns the fields for older clients that are computed from a setting's value. */
export function derivedFields({ derived = {} }: Setting, value: unknown): Record<string, boolean> {
  // Safe: the value matches the row's schema.
  return Object.fromEntries(Object.entries(derived).map(([name, derive]) => [name, derive(value as never)]));
}
export type RealmSettings = { [Name in RealmSetting]: z.output<(typeof realmSettings)[Name]['schema']> };

const defaults = Object.fromEntries(
  Object.entries(realmSettings).map(([name, { default: value }]) => [name, value]),
);

/** Returns an organization's effective settings: the stored values over the defaults. */
export function fullRealmSettings(stored: Partial<RealmSettings>): RealmSettings {
  // Safe: the defaults have every name, each with a value that matches its schema.
  return { ...defaults, ...stored } as RealmSettings;
}
