import { bigint, integer, pgTable, primaryKey, text } from 'drizzle-orm/pg-core';

/** The first submessage of a message is inserted by the append to the log together with the message. */
export const submessages = pgTable(
  'submessages',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    messageId: bigint('message_id', { mode: 'number' }).notNull(),
    senderId: integer('sender_id').notNull(),
    type: text().notNull(),
    content: text().notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);
