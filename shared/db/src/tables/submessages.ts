import { integer, pgTable, text } from 'drizzle-orm/pg-core';

/** The first submessage of a message is inserted by the append to the log together with the message. */
export const submessages = pgTable('submessages', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  messageId: integer('message_id').notNull(),
  senderId: integer('sender_id').notNull(),
  type: text().notNull(),
  content: text().notNull(),
});
