import { bigint, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

export const attachments = pgTable('attachments', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  realmId: integer('realm_id').notNull(),
  ownerId: integer('owner_id').notNull(),
  pathId: text('path_id').notNull(),
  name: text().notNull(),
  contentType: text('content_type').notNull(),
  size: bigint({ mode: 'number' }).notNull(),
  image: jsonb(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

export const messageAttachments = pgTable(
  'message_attachments',
  {
    messageId: integer('message_id').notNull(),
    attachmentId: integer('attachment_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.messageId, table.attachmentId] })],
);
