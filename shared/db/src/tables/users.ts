import type { UserSettings } from '@parley/protocol';
import { boolean, date, integer, jsonb, pgTable, smallint, text, timestamp } from 'drizzle-orm/pg-core';

export const users = pgTable('users', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  realmId: integer('realm_id').notNull(),
  /** The real address. What others see of it is presentUser's business. */
  email: text().notNull(),
  fullName: text('full_name').notNull(),
  role: smallint().notNull(),
  /** Past the waiting period of the organization. Kept for every role; it matters to members. */
  isFullMember: boolean('is_full_member').notNull().default(true),
  isActive: boolean('is_active').notNull().default(true),
  botType: smallint('bot_type'),
  botOwnerId: integer('bot_owner_id'),
  passwordHash: text('password_hash'),
  /** API keys are derived from it: raising it ends the present key. */
  keyGeneration: integer('key_generation').notNull().default(1),
  emailVisibility: smallint('email_visibility').notNull().default(1),
  timezone: text().notNull().default(''),
  avatarVersion: integer('avatar_version').notNull().default(1),
  /** What differs from the defaults. */
  settings: jsonb().$type<Partial<UserSettings>>().notNull().default({}),
  /** A bot of the server's own. */
  isSystem: boolean('is_system').notNull().default(false),
  /** Where uploaded pictures lie; null shows a gravatar. */
  avatarPath: text('avatar_path'),
  lastActiveOn: date('last_active_on'),
  canCreateUsers: boolean('can_create_users').notNull().default(false),
  canChangeUserEmails: boolean('can_change_user_emails').notNull().default(false),
  defaultSendingChannelId: integer('default_sending_channel_id'),
  defaultEventsChannelId: integer('default_events_channel_id'),
  defaultAllPublicChannels: boolean('default_all_public_channels').notNull().default(false),
  joinedAt: timestamp('joined_at', { withTimezone: true }).notNull().defaultNow(),
});
