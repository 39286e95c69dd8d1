import { bigint, boolean, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

export const reactions = pgTable(
  'reactions',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    messageId: bigint('message_id', { mode: 'number' }).notNull(),
    userId: integer('user_id').notNull(),
    emojiName: text('emoji_name').notNull(),
    emojiCode: text('emoji_code').notNull(),
    reactionType: text('reaction_type').notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const realmEmoji = pgTable(
  'realm_emoji',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    name: text().notNull(),
    authorId: integer('author_id'),
    path: text().notNull(),
    stillPath: text('still_path'),
    isDeactivated: boolean('is_deactivated').notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);
