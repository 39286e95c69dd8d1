import { integer, pgTable, text } from 'drizzle-orm/pg-core';

export const vapidKeys = pgTable('vapid_keys', {
  realmId: integer('realm_id').primaryKey(),
  publicKey: text('public_key').notNull(),
  privateKey: text('private_key').notNull(),
});
