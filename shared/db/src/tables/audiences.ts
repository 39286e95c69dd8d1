import { bigint, customType, integer, pgTable, primaryKey } from 'drizzle-orm/pg-core';

const bytea = customType<{ data: Uint8Array }>({ dataType: () => 'bytea' });

/** Immutable sets of users. Only `shared/log` and the append to the log write to this table. */
export const audiences = pgTable(
  'audiences',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    /** The user ids as a portable Roaring bitmap; null if they are told by a base. */
    members: bytea(),
    /** The audience with all of these members but `joined`, and with `departed`; it has no base itself. */
    baseId: bigint('base_id', { mode: 'number' }),
    joined: integer().array(),
    departed: integer().array(),
    size: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);
