import { newest } from '../../support/index.ts';

/** The parts of the state that events keep up to date. */
const sections = [
  'realm',
  'realm_user',
  'realm_user_groups',
  'stream',
  'subscription',
  'default_streams',
  'default_stream_groups',
  'channel_folders',
  'message',
  'user_status',
  'user_settings',
  'update_display_settings',
  'update_global_notifications',
  'realm_user_settings_defaults',
  'alert_words',
  'realm_bot',
  'muted_users',
  'custom_profile_fields',
  'realm_emoji',
  'realm_linkifiers',
  'realm_playgrounds',
  'update_message_flags',
  'starred_messages',
  'recent_private_conversations',
];

/** Two ways to know the same. */
export const sectionsOf = { modern: [...sections, 'user_topic'], oldest: [...sections, 'muted_topics'] };

/** What a client may be able to read: a new one, and the oldest there is. */
export const clients = { modern: newest, oldest: undefined } as const;

export type ClientKind = keyof typeof clients;
