import { bigint, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });

/** A picture's properties as read from its content. */
export interface Picture {
  contentType: string;
  width: number;
  height: number;
  frames: number;
}

export const attachments = pgTable(
  'attachments',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    ownerId: integer('owner_id').notNull(),
    pathId: text('path_id').notNull(),
    name: text().notNull(),
    contentType: text('content_type').notNull(),
    size: bigint({ mode: 'number' }).notNull(),
    /** Properties of a picture; null if the upload is not a picture that can be decoded. */
    image: jsonb().$type<Picture>(),
    createdAt: at('created_at').notNull().defaultNow(),
    /** The last time that a message stopped referring to the upload. */
    releasedAt: at('released_at'),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const messageAttachments = pgTable(
  'message_attachments',
  {
    realmId: integer('realm_id').notNull(),
    messageId: bigint('message_id', { mode: 'number' }).notNull(),
    attachmentId: bigint('attachment_id', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.messageId, table.attachmentId] })],
);

/** The bytes that a realm's uploads take. The row is locked while an upload is added or removed. */
export const uploadUsage = pgTable('upload_usage', {
  realmId: integer('realm_id').primaryKey(),
  bytes: bigint({ mode: 'number' }).notNull().default(0),
});

/** Folders of the file store that no row refers to. Their files are deleted after `removeAfter`. */
export const orphanedFolders = pgTable('loose_folders', {
  folder: text().primaryKey(),
  removeAfter: at('remove_after').notNull(),
});
