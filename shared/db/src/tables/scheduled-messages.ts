import { bigint, boolean, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const scheduledMessages = pgTable(
  'scheduled_messages',
  {
    realmId: integer('realm_id').notNull(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
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
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const scheduledMessageAttachments = pgTable(
  'scheduled_message_attachments',
  {
    realmId: integer('realm_id').notNull(),
    scheduledMessageId: bigint('scheduled_message_id', { mode: 'number' }).notNull(),
    attachmentId: bigint('attachment_id', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.scheduledMessageId, table.attachmentId] })],
);

export const reminders = pgTable(
  'reminders',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    userId: integer('user_id').notNull(),
    messageId: bigint('message_id', { mode: 'number' }).notNull(),
    note: text().notNull(),
    /** What the reminder says besides the message, which is read when it is due. */
    content: text().notNull(),
    renderedContent: text('rendered_content').notNull(),
    dueAt: at('due_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);
