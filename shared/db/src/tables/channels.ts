import type { ChannelGroupSetting, GroupSetting } from '@parley/protocol';
import {
  bigint,
  boolean,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const channels = pgTable(
  'channels',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    conversationId: bigint('conversation_id', { mode: 'number' }).notNull(),
    name: text().notNull(),
    description: text().notNull().default(''),
    renderedDescription: text('rendered_description').notNull().default(''),
    creatorId: integer('creator_id'),
    createdAt: at('created_at').notNull().defaultNow(),
    isPrivate: boolean('is_private').notNull().default(false),
    isWebPublic: boolean('is_web_public').notNull().default(false),
    sharesHistory: boolean('shares_history').notNull().default(true),
    isArchived: boolean('is_archived').notNull().default(false),
    groupSettings: jsonb('group_settings').$type<Record<ChannelGroupSetting, GroupSetting>>().notNull(),
    topicsPolicy: text('topics_policy', {
      enum: ['inherit', 'allow_empty_topic', 'disable_empty_topic', 'empty_topic_only'],
    })
      .notNull()
      .default('inherit'),
    messageRetentionDays: integer('message_retention_days'),
    folderId: integer('folder_id'),
    isDefault: boolean('is_default').notNull().default(false),
    isRecentlyActive: boolean('is_recently_active').notNull().default(true),
    weeklyTraffic: integer('weekly_traffic'),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const topics = pgTable(
  'topics',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    channelId: integer('channel_id').notNull(),
    name: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

/** The visibility of a topic for a user. `policy` is 1 for muted, 2 for unmuted in a muted channel, 3 for followed. */
export const userTopics = pgTable(
  'user_topics',
  {
    realmId: integer('realm_id').notNull(),
    userId: integer('user_id').notNull(),
    topicId: bigint('topic_id', { mode: 'number' }).notNull(),
    policy: smallint().notNull(),
    updatedAt: at('updated_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.userId, table.topicId] })],
);

export const channelFolders = pgTable(
  'channel_folders',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    name: text().notNull(),
    description: text().notNull().default(''),
    renderedDescription: text('rendered_description').notNull().default(''),
    position: integer().notNull().default(0),
    creatorId: integer('creator_id'),
    createdAt: at('created_at').notNull().defaultNow(),
    isArchived: boolean('is_archived').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const defaultChannelGroups = pgTable(
  'default_channel_groups',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    name: text().notNull(),
    description: text().notNull().default(''),
    channelIds: integer('channel_ids').array().notNull().default([]),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

/** Up to which block the messages of a realm are counted, and when the traffic of its channels was last measured. */
export const messageCountCursors = pgTable('message_count_cursors', {
  realmId: integer('realm_id').primaryKey(),
  nextBlock: bigint('next_block', { mode: 'number' }).notNull(),
  measuredAt: at('measured_at'),
});

/** How many messages of a channel are in a block: 4096 ids of a realm that follow each other. */
export const messageCounts = pgTable(
  'message_counts',
  {
    realmId: integer('realm_id').notNull(),
    block: bigint({ mode: 'number' }).notNull(),
    channelId: integer('channel_id').notNull(),
    messages: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.block, table.channelId] })],
);

/** Blocks that have to be counted again. Triggers write them where messages are deleted or moved. */
export const changedMessageBlocks = pgTable(
  'changed_message_blocks',
  {
    realmId: integer('realm_id').notNull(),
    block: bigint({ mode: 'number' }).notNull(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.block, table.id] })],
);
