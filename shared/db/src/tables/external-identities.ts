import { integer, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const externalIdentities = pgTable('external_identities', {
  realmId: integer('realm_id').notNull(),
  /** The provider, and its own id of somebody. */
  issuer: text().notNull(),
  subject: text().notNull(),
  userId: integer('user_id').notNull(),
  linkedAt: timestamp('linked_at', { withTimezone: true }).notNull().defaultNow(),
});
