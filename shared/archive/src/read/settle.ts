import type { Sql } from '@parley/db';
import { limits } from '@parley/protocol';

import { refusedRow } from './row.ts';
import { inTransaction } from './writing.ts';

/** Rows that contradict each other, as SQL that finds one. */
interface Contradiction {
  table: string;
  column?: string;
  sql: string;
}

/** Messages of a realm: they stand between two ids, so that no other's are looked through. */
interface Span {
  realmId: number;
  first: number;
  last: number;
}

/** Personal tables of which one account has so many rows at most. */
const rowsPerUser: Readonly<Record<string, number>> = {
  drafts: limits.draftsPerUser,
  scheduled_messages: limits.scheduledMessagesPerUser,
  reminders: limits.remindersPerUser,
  saved_snippets: limits.savedSnippetsPerUser,
  navigation_views: limits.navigationViewsPerUser,
  alert_words: limits.alertWordsPerUser,
  bot_storage: limits.storedKeys,
};

/** Ranges that go beyond the last message: they may only go on from there, for what is sent next. */
const beyond = (column: string) => `lower(t.${column}) < 1 or (
  not t.${column} * int8multirange(int8range(h.ordinal + 1, null)) in ('{}', int8multirange(int8range(h.ordinal + 1, null))))`;

const contradictions = ({ realmId, first, last }: Span): Contradiction[] => [
  {
    table: 'conversations',
    sql: `select from conversations t left join conversation_heads h on h.realm_id = t.realm_id and h.conversation_id = t.id
      where t.realm_id = ${realmId} and h.conversation_id is null`,
  },
  {
    table: 'conversations',
    column: 'people',
    sql: `select from conversations t cross join unnest(t.people) p (id)
      left join users u on u.realm_id = t.realm_id and u.id = p.id where t.realm_id = ${realmId} and u.id is null`,
  },
  {
    table: 'channels',
    column: 'conversation_id',
    sql: `select from channels t join conversations v on v.realm_id = t.realm_id and v.id = t.conversation_id
      where t.realm_id = ${realmId} and (v.people is not null
        or v.id = (select members_conversation_id from realms where id = ${realmId}))`,
  },
  {
    table: 'messages',
    column: 'ordinal',
    sql: `select from messages t join conversations v on v.realm_id = t.realm_id and v.id = t.conversation_id
      join conversation_heads h on h.realm_id = v.realm_id and h.conversation_id = v.id
      left join topics o on o.realm_id = t.realm_id and o.id = t.topic_id
      where t.realm_id = ${realmId} and t.id between ${first} and ${last}
        and (t.ordinal > h.ordinal or (t.channel_id is null) <> (v.people is not null)
          or o.channel_id is distinct from t.channel_id or t.sender_id <> all(v.people))`,
  },
  ...(['received', 'read'] as const).map((column) => ({
    table: 'conversation_members',
    column,
    sql: `select from conversations v join conversation_heads h on h.realm_id = v.realm_id and h.conversation_id = v.id
      join conversation_members t on t.realm_id = v.realm_id and t.conversation_id = v.id
      where v.realm_id = ${realmId} and (${beyond(column)})`,
  })),
  {
    table: 'conversation_members',
    column: 'user_id',
    sql: `select from conversations v join conversation_members t on t.realm_id = v.realm_id and t.conversation_id = v.id
      where v.realm_id = ${realmId} and t.user_id <> all(v.people)`,
  },
  {
    table: 'users',
    column: 'is_system',
    sql: `select count(*) from users where realm_id = ${realmId} and is_system
      having '{notification-bot,welcome-bot}' is distinct from array_agg(split_part(email, '@', 1) order by email)`,
  },
  {
    table: 'users',
    column: 'bot_owner_id',
    sql: `select from users t join users o on o.realm_id = t.realm_id and o.id = t.bot_owner_id
      where t.realm_id = ${realmId} and o.bot_type is not null`,
  },
  {
    table: 'users',
    column: 'group_ids',
    sql: `select from user_groups g join users t on t.realm_id = g.realm_id and t.group_ids @> array[g.id]
      where g.realm_id = ${realmId} and g.is_system`,
  },
  {
    table: 'user_group_subgroups',
    column: 'group_id',
    sql: `select from user_group_subgroups t join user_groups g on g.realm_id = t.realm_id and g.id = t.group_id
      where t.realm_id = ${realmId} and g.is_system`,
  },
  {
    table: 'bot_services',
    column: 'bot_id',
    sql: `select from bot_services t join users u on u.realm_id = t.realm_id and u.id = t.bot_id
      where t.realm_id = ${realmId} and u.bot_type is distinct from 3`,
  },
  ...Object.entries(rowsPerUser).map(([table, max]) => ({
    table,
    sql: `select from ${table} t where t.realm_id = ${realmId} group by t.user_id having count(*) > ${max}`,
  })),
];

/**
 * Looks for rows of a realm that contradict each other, in all tables or in one.
 *
 * @throws ArchiveRefused if there are some
 */
export async function assertConsistent(sql: Sql, span: Span, only?: string): Promise<void> {
  for (const { table, column, sql: query } of contradictions(span)) {
    if (only !== undefined && table !== only) continue;
    const found = await inTransaction(sql, (tx) => tx.unsafe(`${query} limit 1`));
    if (found.length > 0) throw refusedRow(table, column);
  }
}
