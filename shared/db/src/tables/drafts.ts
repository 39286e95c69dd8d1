import { bigint, integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const drafts = pgTable('drafts', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  userId: integer('user_id').notNull(),
  /** `stream`, `private`, or empty while it is addressed to nobody. */
  type: text().notNull(),
  /** The channel's id, or the ids of the other users. */
  recipients: integer().array().notNull(),
  topic: text().notNull(),
  content: text().notNull(),
  editedAt: timestamp('edited_at', { withTimezone: true }).notNull(),
});
