import { integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const sessions = pgTable(
  'sessions',
  {
    realmId: integer('realm_id').notNull(),
    tokenHash: text('token_hash').notNull(),
    userId: integer('user_id').notNull(),
    keyGeneration: integer('key_generation').notNull(),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    /** What the browser said of itself; null if nothing. */
    userAgent: text('user_agent'),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.tokenHash] })],
);
