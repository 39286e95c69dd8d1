import { bigint, integer, pgTable, text, uuid } from 'drizzle-orm/pg-core';

/** Only the append to the log writes to this table, and whoever begins a new epoch. */
export const realmHeads = pgTable('realm_heads', {
  realmId: integer('realm_id').primaryKey(),
  epoch: uuid().notNull(),
  seq: bigint({ mode: 'number' }).notNull(),
  /** The term of the newest entry; empty for one from before there were terms. */
  term: text().notNull(),
  /** The id of the newest message. */
  messageId: bigint('message_id', { mode: 'number' }).notNull(),
  rulesVersion: bigint('rules_version', { mode: 'number' }).notNull(),
});
