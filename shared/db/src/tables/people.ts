import {
  bigint,
  boolean,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const alertWords = pgTable('alert_words', {
  userId: integer('user_id').notNull(),
  realmId: integer('realm_id').notNull(),
  word: text().notNull(),
});

export const mutedUsers = pgTable(
  'muted_users',
  {
    realmId: integer('realm_id').notNull(),
    userId: integer('user_id').notNull(),
    mutedUserId: integer('muted_user_id').notNull(),
    mutedAt: at('muted_at').notNull().defaultNow(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.userId, table.mutedUserId] })],
);

export const presences = pgTable(
  'presences',
  {
    userId: integer('user_id').notNull(),
    realmId: integer('realm_id').notNull(),
    activeAt: at('active_at'),
    idleAt: at('idle_at'),
    updateId: bigint('update_id', { mode: 'number' }).notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.userId] })],
);

export const userStatuses = pgTable(
  'user_statuses',
  {
    realmId: integer('realm_id').notNull(),
    userId: integer('user_id').notNull(),
    text: text().notNull().default(''),
    emojiName: text('emoji_name').notNull().default(''),
    emojiCode: text('emoji_code').notNull().default(''),
    reactionType: text('reaction_type').notNull().default(''),
    away: boolean().notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.userId] })],
);

export const botServices = pgTable(
  'bot_services',
  {
    realmId: integer('realm_id').notNull(),
    botId: integer('bot_id').notNull(),
    baseUrl: text('base_url').notNull(),
    interface: smallint().notNull(),
    token: text().notNull(),
    /** Attempts in a row that the service did not answer as it should. */
    failures: integer().notNull().default(0),
    /** Until when it is not asked. */
    pausedUntil: at('paused_until'),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.botId] })],
);

export const botStorage = pgTable(
  'bot_storage',
  {
    realmId: integer('realm_id').notNull(),
    userId: integer('user_id').notNull(),
    key: text().notNull(),
    value: text().notNull(),
    /** Characters of key and value. */
    characters: integer().notNull(),
    /** Bytes of key and value as JSON. */
    bytes: integer().notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.userId, table.key] })],
);

export const customProfileFields = pgTable(
  'custom_profile_fields',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    name: text().notNull(),
    hint: text().notNull().default(''),
    type: smallint().notNull(),
    fieldData: text('field_data').notNull().default(''),
    position: integer().notNull(),
    isRequired: boolean('is_required').notNull().default(false),
    isEditableByUser: boolean('is_editable_by_user').notNull().default(true),
    isInSummary: boolean('is_in_summary').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const customProfileValues = pgTable(
  'custom_profile_values',
  {
    realmId: integer('realm_id').notNull(),
    userId: integer('user_id').notNull(),
    fieldId: integer('field_id').notNull(),
    value: text().notNull(),
    renderedValue: text('rendered_value'),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.userId, table.fieldId] })],
);
