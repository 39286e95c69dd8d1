import { integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const partialUploads = pgTable(
  'partial_uploads',
  {
    /** Random, and a part of the upload's address. */
    id: text().notNull(),
    realmId: integer('realm_id').notNull(),
    userId: integer('user_id').notNull(),
    bytes: integer().notNull(),
    /** Bytes that are stored so far. */
    received: integer().notNull().default(0),
    /** The file's name and type, as the client wrote them. */
    metadata: text(),
    /** The upload that it has become. */
    pathId: text('path_id'),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const partialUploadPieces = pgTable(
  'partial_upload_pieces',
  {
    realmId: integer('realm_id').notNull(),
    uploadId: text('upload_id').notNull(),
    /** The place of its first byte in the file. */
    start: integer().notNull(),
    /** The name of the stored object, in the upload's folder. */
    name: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.uploadId, table.start] })],
);
