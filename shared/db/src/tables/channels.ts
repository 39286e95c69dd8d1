import type { ChannelGroupSetting, GroupSetting } from '@parley/protocol';
import { bigint, boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const channels = pgTable('channels', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  realmId: integer('realm_id').notNull(),
  conversationId: bigint('conversation_id', { mode: 'number' }).notNull(),
  name: text().notNull(),
  description: text().notNull().default(''),
  creatorId: integer('creator_id'),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  isPrivate: boolean('is_private').notNull().default(false),
  isWebPublic: boolean('is_web_public').notNull().default(false),
  sharesHistory: boolean('shares_history').notNull().default(true),
  isArchived: boolean('is_archived').notNull().default(false),
  groupSettings: jsonb('group_settings').$type<Record<ChannelGroupSetting, GroupSetting>>().notNull(),
});

export const topics = pgTable('topics', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  channelId: integer('channel_id').notNull(),
  name: text().notNull(),
});
