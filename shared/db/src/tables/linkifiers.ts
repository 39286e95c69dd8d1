import { integer, pgTable, text } from 'drizzle-orm/pg-core';

export const linkifiers = pgTable('linkifiers', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  realmId: integer('realm_id').notNull(),
  pattern: text().notNull(),
  urlTemplate: text('url_template').notNull(),
  position: integer().notNull(),
});

export const playgrounds = pgTable('playgrounds', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  realmId: integer('realm_id').notNull(),
  name: text().notNull(),
  language: text().notNull(),
  urlTemplate: text('url_template').notNull(),
});
