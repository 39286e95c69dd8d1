import { bigint, integer, pgTable, uuid } from 'drizzle-orm/pg-core';

/** Only the append to the log writes to this table. */
export const realmHeads = pgTable('realm_heads', {
  realmId: integer('realm_id').primaryKey(),
  epoch: uuid().notNull(),
  seq: bigint({ mode: 'number' }).notNull(),
  rulesVersion: bigint('rules_version', { mode: 'number' }).notNull(),
});
