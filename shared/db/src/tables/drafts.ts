import { bigint, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

export const drafts = pgTable(
  'drafts',
  {
    realmId: integer('realm_id').notNull(),
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    userId: integer('user_id').notNull(),
    /** `stream`, `private`, or empty while it is addressed to nobody. */
    type: text().notNull(),
    /** The channel's id, or the ids of the other users. */
    recipients: integer().array().notNull(),
    topic: text().notNull(),
    content: text().notNull(),
    editedAt: timestamp('edited_at', { withTimezone: true }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);
