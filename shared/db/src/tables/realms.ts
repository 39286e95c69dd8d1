import type { AuthenticationMethod, RealmGroupSettings, RealmSettings, UserDefaults } from '@parley/protocol';
import { bigint, boolean, integer, jsonb, pgTable, text, timestamp } from 'drizzle-orm/pg-core';

export const realms = pgTable('realms', {
  id: integer().primaryKey().generatedAlwaysAsIdentity(),
  name: text().notNull(),
  displayName: text('display_name').notNull(),
  description: text().notNull().default(''),
  renderedDescription: text('rendered_description').notNull().default(''),
  createdAt: timestamp('created_at', { withTimezone: true }).notNull().defaultNow(),
  isActive: boolean('is_active').notNull().default(true),
  /** A conversation of everyone but guests in which nobody writes. Its members may see public channels. */
  membersConversationId: bigint('members_conversation_id', { mode: 'number' }),
  /** The mebibytes that uploads may take; null for no quota. */
  uploadQuotaMib: integer('upload_quota_mib'),
  /** Where the realm's pictures lie in the file store; null for the server's own. */
  iconPath: text('icon_path'),
  iconVersion: integer('icon_version').notNull().default(1),
  logoPath: text('logo_path'),
  logoVersion: integer('logo_version').notNull().default(1),
  nightLogoPath: text('night_logo_path'),
  nightLogoVersion: integer('night_logo_version').notNull().default(1),
  /** The settings that differ from the defaults. */
  settings: jsonb().$type<Partial<RealmSettings>>().notNull().default({}),
  groupSettings: jsonb('group_settings').$type<Partial<RealmGroupSettings>>().notNull().default({}),
  /** The ways to sign in that the realm switched on or off; the others are on. */
  authenticationMethods: jsonb('authentication_methods')
    .$type<Partial<Record<AuthenticationMethod, boolean>>>()
    .notNull()
    .default({}),
  /** The default settings of new accounts that differ from the general defaults. */
  userDefaults: jsonb('user_defaults').$type<UserDefaults>().notNull().default({}),
});

/** Names of organizations before they were renamed. */
export const formerRealmNames = pgTable('former_realm_names', {
  name: text().primaryKey(),
  realmId: integer('realm_id').notNull(),
});
