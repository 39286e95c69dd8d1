import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';

export const realmDomains = pgTable('realm_domains', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  realmId: integer('realm_id').notNull(),
  domain: text().notNull(),
  allowSubdomains: boolean('allow_subdomains').notNull(),
});
