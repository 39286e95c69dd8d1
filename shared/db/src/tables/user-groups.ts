import type { UserGroupSettings } from '@parley/protocol';
import { boolean, integer, jsonb, pgTable, primaryKey, text, timestamp } from 'drizzle-orm/pg-core';

export const userGroups = pgTable(
  'user_groups',
  {
    id: integer().notNull().generatedAlwaysAsIdentity(),
    realmId: integer('realm_id').notNull(),
    name: text().notNull(),
    description: text().notNull().default(''),
    isSystem: boolean('is_system').notNull().default(false),
    isDeactivated: boolean('is_deactivated').notNull().default(false),
    creatorId: integer('creator_id'),
    /** Null of a system group, as are the permissions, which are all nobody's. */
    createdAt: timestamp('created_at', { withTimezone: true }),
    groupSettings: jsonb('group_settings').$type<UserGroupSettings>(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.id] })],
);

/** Which groups contain which others directly. What system groups contain is not stored. Members are in `users`. */
export const userGroupSubgroups = pgTable(
  'user_group_subgroups',
  {
    realmId: integer('realm_id').notNull(),
    groupId: integer('group_id').notNull(),
    subgroupId: integer('subgroup_id').notNull(),
  },
  (table) => [primaryKey({ columns: [table.realmId, table.groupId, table.subgroupId] })],
);
