import { boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

export const realmDomains = pgTable(
  'realm_domains',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    domain: text().notNull(),
    allowSubdomains: boolean('allow_subdomains').notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);
