import { boolean, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const scheduledMessages = pgTable('scheduled_messages', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: integer('user_id').notNull(),
  /** `stream` or `private`. */
  type: text().notNull(),
  /** The channel's id, or the ids of the other users. */
  recipients: integer().array().notNull(),
  topic: text().notNull(),
  content: text().notNull(),
  renderedContent: text('rendered_content').notNull(),
  client: text().notNull(),
  readBySender: boolean('read_by_sender').notNull(),
  dueAt: at('due_at').notNull(),
  /** Why it could not be sent. */
  failureMessage: text('failure_message'),
  sentAt: at('sent_at'),
});

export const scheduledMessageAttachments = pgTable(
  'scheduled_message_attachments',
  {
    scheduledMessageId: integer('scheduled_message_id').notNull(),
    attachmentId: integer('attachment_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.scheduledMessageId, table.attachmentId] })],
);

export const reminders = pgTable('reminders', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: integer('user_id').notNull(),
  messageId: integer('message_id').notNull(),
  note: text().notNull(),
  /** What the reminder says besides the message, which is read when it is due. */
  content: text().notNull(),
  renderedContent: text('rendered_content').notNull(),
  dueAt: at('due_at').notNull(),
});
