import { bigint, integer, jsonb, pgTable, primaryKey, smallint, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const archiveImports = pgTable(
  'archive_imports',
  {
    realmId: integer('realm_id').notNull(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    /** Random, and a part of the upload's address. */
    uploadId: text('upload_id').notNull(),
    userId: integer('user_id').notNull(),
    fileName: text('file_name').notNull(),
    /** The product that somebody has said it comes from. */
    source: text({ enum: ['parley', 'slack', 'mattermost', 'rocketchat', 'zulip'] }),
    bytes: bigint({ mode: 'number' }).notNull(),
    /** Bytes that are stored so far. */
    received: bigint({ mode: 'number' }).notNull().default(0),
    status: text({
      enum: ['uploading', 'planning', 'planned', 'importing', 'done', 'failed', 'cancelled'],
    })
      .notNull()
      .default('uploading'),
    plan: jsonb(),
    report: jsonb(),
    progress: jsonb(),
    failure: text(),
    /** The same as a code with its values, from which sentences are made in any language. */
    failureReason: jsonb('failure_reason'),
    /** Rises whenever a worker takes the import up. A worker that knows an older number can write nothing more. */
    lease: integer().notNull().default(0),
    leasedUntil: at('leased_until'),
    /** How often workers took up a step of it without ending that. */
    attempts: smallint().notNull().default(0),
    createdAt: at('created_at').notNull(),
    endedAt: at('ended_at'),
    /** When it is given up if nobody goes on with it. */
    expiresAt: at('expires_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const archiveImportPieces = pgTable(
  'archive_import_pieces',
  {
    realmId: integer('realm_id').notNull(),
    importId: bigint('import_id', { mode: 'number' }).notNull(),
    /** The place of its first byte in the archive. */
    start: bigint({ mode: 'number' }).notNull(),
    /** The name of the stored object, in the folder of the import. */
    name: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.importId, table.start] })],
);
