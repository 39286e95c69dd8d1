import type { NotificationKind } from '@parley/protocol';
import {
  bigint,
  boolean,
  date,
  integer,
  pgTable,
  primaryKey,
  smallint,
  text,
  timestamp,
} from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const notificationCursors = pgTable('notification_cursors', {
  realmId: integer('realm_id').primaryKey(),
  seq: bigint({ mode: 'number' }).notNull(),
  messageId: bigint('message_id', { mode: 'number' }).notNull(),
});

export const pendingNotifications = pgTable(
  'pending_notifications',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    userId: integer('user_id').notNull(),
    messageId: bigint('message_id', { mode: 'number' }).notNull(),
    kind: text().$type<NotificationKind>().notNull(),
    conversationId: bigint('conversation_id', { mode: 'number' }),
    topicId: bigint('topic_id', { mode: 'number' }),
    dueAt: at('due_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    waitsForAbsence: boolean('waits_for_absence').notNull().default(false),
    attempts: smallint().notNull().default(0),
    mailId: bigint('mail_id', { mode: 'number' }),
    deviceIds: bigint('device_ids', { mode: 'number' }).array(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

export const pushedMessages = pgTable(
  'pushed_messages',
  {
    userId: integer('user_id').notNull(),
    messageId: bigint('message_id', { mode: 'number' }).notNull(),
    realmId: integer('realm_id').notNull(),
    pushedAt: at('pushed_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.userId, table.messageId] })],
);

export const digests = pgTable(
  'digests',
  {
    realmId: integer('realm_id').notNull(),
    userId: integer('user_id').notNull(),
    sentOn: date('sent_on').notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.userId] })],
);
