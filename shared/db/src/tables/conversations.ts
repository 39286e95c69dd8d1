import { bigint, boolean, customType, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

const int8multirange = customType<{ data: string }>({ dataType: () => 'int8multirange' });

export const conversations = pgTable(
  'conversations',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    /** The sorted user ids of a direct conversation; null for a channel's conversation. */
    people: integer().array(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const conversationMembers = pgTable(
  'conversation_members',
  {
    realmId: integer('realm_id').notNull(),
    conversationId: bigint('conversation_id', { mode: 'number' }).notNull(),
    userId: integer('user_id').notNull(),
    isSubscribed: boolean('is_subscribed').notNull().default(true),
    /** Ordinals of the messages that the user received, as ranges. */
    received: int8multirange().notNull().default('{}'),
    read: int8multirange().notNull().default('{}'),
    color: text().notNull().default('#c2c2c2'),
    pinToTop: boolean('pin_to_top').notNull().default(false),
    isMuted: boolean('is_muted').notNull().default(false),
    /** False for a user who never was subscribed and only received messages by being mentioned. */
    wasSubscribed: boolean('was_subscribed').notNull().default(true),
    desktopNotifications: boolean('desktop_notifications'),
    audibleNotifications: boolean('audible_notifications'),
    pushNotifications: boolean('push_notifications'),
    emailNotifications: boolean('email_notifications'),
    wildcardMentionsNotify: boolean('wildcard_mentions_notify'),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.conversationId, table.userId] })],
);

/** Only the append to the log writes to this table. Reading a conversation's state as of a log position is fine. */
export const conversationHeads = pgTable(
  'conversation_heads',
  {
    realmId: integer('realm_id').notNull(),
    conversationId: bigint('conversation_id', { mode: 'number' }).notNull(),
    ordinal: bigint({ mode: 'number' }).notNull().default(0),
    audienceId: bigint('audience_id', { mode: 'number' }),
    firstMessageId: bigint('first_message_id', { mode: 'number' }),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.conversationId] })],
);
