import { bigint, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });

/** Messages that are to be passed on to the services of outgoing-webhook bots, and those that could not be. */
export const webhookDeliveries = pgTable(
  'webhook_deliveries',
  {
    id: bigint({ mode: 'number' }).notNull().generatedByDefaultAsIdentity(),
    realmId: integer('realm_id').notNull(),
    botId: integer('bot_id').notNull(),
    messageId: bigint('message_id', { mode: 'number' }).notNull(),
    conversationId: bigint('conversation_id', { mode: 'number' }).notNull(),
    trigger: text().notNull(),
    queuedAt: at('queued_at').notNull(),
    attempts: integer().notNull().default(0),
    claimedUntil: at('claimed_until'),
    retryAt: at('retry_at'),
    failedAt: at('failed_at'),
    failure: text(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);
