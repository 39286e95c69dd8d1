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

export const invitations = pgTable(
  'invitations',
  {
    id: bigint({ mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    inviterId: integer('inviter_id').notNull(),
    email: text(),
    linkId: bigint('link_id', { mode: 'number' }),
    role: smallint().notNull(),
    channelIds: integer('channel_ids').array().notNull(),
    groupIds: integer('group_ids').array().notNull(),
    includesDefaults: boolean('includes_defaults').notNull(),
    notifiesInviter: boolean('notifies_inviter').notNull(),
    status: text({ enum: ['pending', 'accepted', 'revoked'] })
      .notNull()
      .default('pending'),
    createdAt: at('created_at').notNull(),
    expiresAt: at('expires_at'),
    mails: smallint().notNull().default(0),
    welcomeText: text('welcome_text'),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);
