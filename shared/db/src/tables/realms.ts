import type { RealmGroupSettings, RealmSettings, UserDefaults } from '@parley/protocol';
import { boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const realms = pgTable('realms', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: text().notNull(),
  displayName: text('display_name').notNull(),
  description: text().notNull().default(''),
  renderedDescription: text('rendered_description').notNull().default(''),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  isActive: boolean('is_active').notNull().default(true),
  /** The pseudo-conversation of everyone but guests: whoever may see public channels. */
  membersConversationId: integer('members_conversation_id'),
  /** Mebibytes that uploads may take; null is no quota. */
  uploadQuotaMib: integer('upload_quota_mib'),
  /** What differs from the defaults. */
  settings: jsonb().$type<Partial<RealmSettings>>().notNull().default({}),
  groupSettings: jsonb('group_settings').$type<Partial<RealmGroupSettings>>().notNull().default({}),
  /** What new accounts start with. */
  userDefaults: jsonb('user_defaults').$type<UserDefaults>().notNull().default({}),
});
