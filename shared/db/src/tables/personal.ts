import { boolean, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

export const savedSnippets = pgTable(
  'saved_snippets',
  {
    realmId: integer('realm_id').notNull(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    userId: integer('user_id').notNull(),
    title: text().notNull(),
    content: text().notNull(),
    createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const navigationViews = pgTable(
  'navigation_views',
  {
    realmId: integer('realm_id').notNull(),
    id: integer().notNull().generatedAlwaysAsIdentity(),
    userId: integer('user_id').notNull(),
    /** The part of the view's address behind the #. */
    fragment: text().notNull(),
    isPinned: boolean('is_pinned').notNull(),
    /** Null for a view that clients have by themselves. */
    name: text(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const onboardingStepsSeen = pgTable(
  'onboarding_steps_seen',
  { realmId: integer('realm_id').notNull(), userId: integer('user_id').notNull(), name: text().notNull() },
  (table) => [primaryKey({ columns: [table.realmId, table.userId, table.name] })],
);
