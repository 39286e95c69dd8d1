import { integer, pgTable, text } from 'drizzle-orm/pg-core';

/** The first of a message is inserted with it, by the log. */
export const submessages = pgTable('submessages', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  messageId: integer('message_id').notNull(),
  senderId: integer('sender_id').notNull(),
  type: text().notNull(),
  content: text().notNull(),
});
