import { bigint, integer, pgTable, primaryKey, smallint, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const emailChanges = pgTable(
  'email_changes',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    userId: integer('user_id').notNull(),
    oldEmail: text('old_email').notNull(),
    newEmail: text('new_email').notNull(),
    expiresAt: at('expires_at').notNull(),
    mailDueAt: at('mail_due_at'),
    mailAttempts: smallint('mail_attempts').notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);
