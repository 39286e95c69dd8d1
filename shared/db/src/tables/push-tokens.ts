import type { DeviceService } from '@parley/protocol';
import { bigint, integer, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

export const pushTokens = pgTable(
  'push_tokens',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    userId: integer('user_id').notNull(),
    service: text().$type<DeviceService>().notNull(),
    token: text().notNull(),
    appId: text('app_id'),
    registeredAt: timestamp('registered_at', { withTimezone: true }).notNull(),
    p256dh: text(),
    auth: text(),
    name: text(),
    sessionHash: text('session_hash'),
    expiresAt: timestamp('expires_at', { withTimezone: true }),
    pausedUntil: timestamp('paused_until', { withTimezone: true }),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);
