import { integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

export const linkifiers = pgTable(
  'linkifiers',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    pattern: text().notNull(),
    urlTemplate: text('url_template').notNull(),
    position: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const playgrounds = pgTable(
  'playgrounds',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    name: text().notNull(),
    language: text().notNull(),
    urlTemplate: text('url_template').notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);
