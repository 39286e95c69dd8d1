import type { MailContent } from '@parley/protocol';
import { bigint, integer, jsonb, pgTable, primaryKey, smallint, text, timestamp } from 'drizzle-orm/pg-core';

const at = (name: string) => timestamp(name, { withTimezone: true });

export const mails = pgTable(
  'mails',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    recipient: text().notNull(),
    content: jsonb().$type<MailContent>().notNull(),
    dueAt: at('due_at').notNull(),
    expiresAt: at('expires_at').notNull(),
    attempts: smallint().notNull().default(0),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);
