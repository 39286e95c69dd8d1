import { boolean, integer, pgTable, smallint, text, timestamp } from 'drizzle-orm/pg-core';

export const users = pgTable('users', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  realmId: integer('realm_id').notNull(),
  /** The real address. What others see of it is presentUser's business. */
  email: text().notNull(),
  fullName: text('full_name').notNull(),
  role: smallint().notNull(),
  isActive: boolean('is_active').notNull().default(true),
  botType: smallint('bot_type'),
  botOwnerId: integer('bot_owner_id'),
  passwordHash: text('password_hash'),
  /** API keys are derived from it: raising it ends the present key. */
  keyGeneration: integer('key_generation').notNull().default(1),
  emailVisibility: smallint('email_visibility').notNull().default(1),
  timezone: text().notNull().default(''),
  avatarVersion: integer('avatar_version').notNull().default(1),
  joinedAt: timestamp('joined_at', { withTimezone: true }).notNull().defaultNow(),
});
