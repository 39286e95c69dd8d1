import { boolean, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

export const savedSnippets = pgTable('saved_snippets', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: integer('user_id').notNull(),
  title: text().notNull(),
  content: text().notNull(),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
});

export const navigationViews = pgTable('navigation_views', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  userId: integer('user_id').notNull(),
  /** The part of the view's address behind the #. */
  fragment: text().notNull(),
  isPinned: boolean('is_pinned').notNull(),
  /** Null for a view that clients have by themselves. */
  name: text(),
});

export const onboardingStepsSeen = pgTable(
  'onboarding_steps_seen',
  { userId: integer('user_id').notNull(), name: text().notNull() },
  (table) => [primaryKey({ columns: [table.userId, table.name] })],
);
