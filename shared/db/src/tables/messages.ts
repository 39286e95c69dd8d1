import {
  bigint,
  boolean,
  customType,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';

const int8multirange = customType<{ data: string }>({ dataType: () => 'int8multirange' });
const at = (name: string) => timestamp(name, { withTimezone: true });

/**
 * Only the append to the log inserts into this table. A message's id is its own in its realm alone: each realm counts its
 * messages. Whatever is found by it says the realm.
 */
export const messages = pgTable(
  'messages',
  {
    id: bigint({ mode: 'number' }).notNull(),
    realmId: integer('realm_id').notNull(),
    conversationId: bigint('conversation_id', { mode: 'number' }).notNull(),
    ordinal: bigint({ mode: 'number' }).notNull(),
    channelId: integer('channel_id'),
    topicId: bigint('topic_id', { mode: 'number' }),
    senderId: integer('sender_id').notNull(),
    sentAt: at('sent_at').notNull(),
    content: text().notNull(),
    renderedContent: text('rendered_content').notNull(),
    /** The version of the renderer that produced the HTML. HTML of an older version is rendered again when it is read. */
    renderedVersion: smallint('rendered_version').notNull().default(0),
    client: text().notNull(),
    hasLink: boolean('has_link').notNull().default(false),
    hasImage: boolean('has_image').notNull().default(false),
    hasAttachment: boolean('has_attachment').notNull().default(false),
    readBy: integer('read_by').array().notNull().default([]),
    unreadFor: integer('unread_for').array(),
    mentionsChannel: boolean('mentions_channel').notNull().default(false),
    editedAt: at('edited_at'),
    /** Since when the message waits for previews of its links; null if it waits for none. */
    previewsDueAt: at('previews_due_at'),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const messageFlags = pgTable(
  'message_flags',
  {
    realmId: integer('realm_id').notNull(),
    userId: integer('user_id').notNull(),
    messageId: bigint('message_id', { mode: 'number' }).notNull(),
    starred: boolean().notNull().default(false),
    collapsed: boolean().notNull().default(false),
    mentioned: boolean().notNull().default(false),
    topicWildcardMentioned: boolean('topic_wildcard_mentioned').notNull().default(false),
    hasAlertWord: boolean('has_alert_word').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.userId, table.messageId] })],
);

export const messageEdits = pgTable(
  'message_edits',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    messageId: bigint('message_id', { mode: 'number' }).notNull(),
    userId: integer('user_id').notNull(),
    editedAt: at('edited_at').notNull(),
    prevContent: text('prev_content').notNull(),
    prevRenderedContent: text('prev_rendered_content').notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const messageMoves = pgTable(
  'message_moves',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    userId: integer('user_id').notNull(),
    movedAt: at('moved_at').notNull(),
    messageIds: int8multirange('message_ids').notNull(),
    prevChannelId: integer('prev_channel_id').notNull(),
    channelId: integer('channel_id').notNull(),
    prevTopic: text('prev_topic').notNull(),
    topic: text().notNull(),
    isResolving: boolean('is_resolving').notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const archivedMessages = pgTable(
  'archived_messages',
  {
    id: bigint({ mode: 'number' }).notNull(),
    realmId: integer('realm_id').notNull(),
    deletedAt: at('deleted_at').notNull(),
    message: jsonb().notNull(),
    /** Rows of what belonged to it, by the names of their tables. */
    belongings: jsonb().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);
