import { bigint, boolean, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

/** Only the log inserts here. */
export const messages = pgTable('messages', {
  id: integer().primaryKey(),
  realmId: integer('realm_id').notNull(),
  conversationId: bigint('conversation_id', { mode: 'number' }).notNull(),
  ordinal: bigint({ mode: 'number' }).notNull(),
  channelId: integer('channel_id'),
  topicId: bigint('topic_id', { mode: 'number' }),
  senderId: integer('sender_id').notNull(),
  sentAt: timestamp('sent_at', { withTimezone: true }).notNull(),
  content: text().notNull(),
  renderedContent: text('rendered_content').notNull(),
  client: text().notNull(),
  readBySender: boolean('read_by_sender').notNull(),
  hasLink: boolean('has_link').notNull().default(false),
  hasImage: boolean('has_image').notNull().default(false),
  hasAttachment: boolean('has_attachment').notNull().default(false),
});
