import { boolean, integer, pgTable, text } from 'drizzle-orm/pg-core';

export const userGroups = pgTable('user_groups', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  realmId: integer('realm_id').notNull(),
  name: text().notNull(),
  description: text().notNull().default(''),
  isSystem: boolean('is_system').notNull().default(false),
});
