import { bigint, customType, integer, pgTable } from 'drizzle-orm/pg-core';

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/** Immutable sets of users. Only `shared/log` and the append to the log write to this table. */
export const audiences = pgTable('audiences', {
  id: bigint({ mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
  realmId: integer('realm_id').notNull(),
  /** The user ids as a portable Roaring bitmap. */
  members: bytea().notNull(),
  size: integer().notNull(),
});
