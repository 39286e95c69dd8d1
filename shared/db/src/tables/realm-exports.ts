import { bigint, integer, jsonb, pgTable, primaryKey, smallint, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const realmExports = pgTable(
  'realm_exports',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    /** Who asked for it; null for the server's operator. */
    userId: integer('user_id'),
    type: smallint().notNull(),
    status: text({ enum: ['requested', 'started', 'succeeded', 'failed', 'deleted'] })
      .notNull()
      .default('requested'),
    requestedAt: at('requested_at').notNull(),
    folder: text().notNull(),
    /** Rises whenever a worker takes the export up. A worker that knows an older number can write nothing more. */
    lease: integer().notNull().default(0),
    leasedUntil: at('leased_until'),
    /** How often workers took it up without finishing a part. */
    attempts: smallint().notNull().default(0),
    progress: jsonb().notNull().default({}),
    messages: bigint({ mode: 'number' }).notNull().default(0),
    messagesTotal: bigint('messages_total', { mode: 'number' }).notNull().default(0),
    bytes: bigint({ mode: 'number' }).notNull().default(0),
    endedAt: at('ended_at'),
    deletedAt: at('deleted_at'),
    expiresAt: at('expires_at'),
    failure: text(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const realmExportParts = pgTable(
  'realm_export_parts',
  {
    realmId: integer('realm_id').notNull(),
    exportId: integer('export_id').notNull(),
    number: integer().notNull(),
    name: text().notNull(),
    bytes: bigint({ mode: 'number' }).notNull(),
    /** What the archive's manifest will say of it. */
    summary: jsonb().notNull().default({}),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.exportId, table.number] })],
);

export const realmImports = pgTable('realm_imports', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  archive: text().notNull(),
  name: text().notNull(),
  realmId: integer('realm_id').notNull(),
  shifts: jsonb().$type<Record<string, number>>().notNull(),
  files: integer().notNull().default(0),
  startedAt: at('started_at').notNull().defaultNow(),
});
