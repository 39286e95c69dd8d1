import { bigint, customType, integer, pgTable } from 'drizzle-orm/pg-core';

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/** Immutable sets of users. Only the log writes here. */
export const audiences = pgTable('audiences', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  realmId: integer('realm_id').notNull(),
  /** A Roaring bitmap. */
  members: bytea().notNull(),
  size: integer().notNull(),
});
