import type { UserSettings } from '@parley/protocol';
import {
  boolean,
  date,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';

export const users = pgTable(
  'users',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    /** The real email address. presentUser decides which address others see. */
    email: text().notNull(),
    fullName: text('full_name').notNull(),
    role: smallint().notNull(),
    /**
     * Whether the account is past the waiting period of its organization. It is recorded for every role, but matters
     * for members only.
     */
    isFullMember: boolean('is_full_member').notNull().default(true),
    /** The groups that the user is a direct member of, ascending. System groups, which follow from the role, are not among them. */
    groupIds: integer('group_ids').array().notNull().default([]),
    isActive: boolean('is_active').notNull().default(true),
    botType: smallint('bot_type'),
    botOwnerId: integer('bot_owner_id'),
    passwordHash: text('password_hash'),
    /** The number that API keys are derived from. Raising it revokes the present key. */
    keyGeneration: integer('key_generation').notNull().default(1),
    /** By which an API key is found: of the keys of `keyDigestsGeneration` by `keyDigestsSecrets`, which may be earlier ones. */
    keyDigests: text('key_digests').array(),
    keyDigestsGeneration: integer('key_digests_generation'),
    keyDigestsSecrets: text('key_digests_secrets'),
    /** The same for nodes of an older version. */
    keyDigest: text('key_digest'),
    keyDigestGeneration: integer('key_digest_generation'),
    emailVisibility: smallint('email_visibility').notNull().default(1),
    timezone: text().notNull().default(''),
    avatarVersion: integer('avatar_version').notNull().default(1),
    /** The settings that differ from the defaults. */
    settings: jsonb().$type<Partial<UserSettings>>().notNull().default({}),
    /** True for a bot that belongs to the server itself. */
    isSystem: boolean('is_system').notNull().default(false),
    /** The folder of uploaded avatars in the file store; null for a gravatar. */
    avatarPath: text('avatar_path'),
    lastActiveOn: date('last_active_on'),
    canCreateUsers: boolean('can_create_users').notNull().default(false),
    canChangeUserEmails: boolean('can_change_user_emails').notNull().default(false),
    canForgeSender: boolean('can_forge_sender').notNull().default(false),
    defaultSendingChannelId: integer('default_sending_channel_id'),
    defaultEventsChannelId: integer('default_events_channel_id'),
    defaultAllPublicChannels: boolean('default_all_public_channels').notNull().default(false),
    joinedAt: timestamp('joined_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);
