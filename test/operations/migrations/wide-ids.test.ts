import { type Sql, migrate, readMigrationState } from '@parley/db';
import { describe, expect, test } from 'vitest';

import { createOld } from './old-database.ts';
import { pendingMessage, rows } from './old-rows.ts';

/** The last migration of the versions in which realms draw ids from one sequence. */
const lastBefore = 47;

/** Every number in the columns that become wider, by table and column. */
async function numbersIn(sql: Sql): Promise<Record<string, string[]>> {
  const columns = await sql<{ table: string; column: string }[]>`
    select c.table_name as table, c.column_name as column from information_schema.columns c
    where table_schema = 'public' and column_name ~ '^(id|(first_)?message_ids?|attachment_id|scheduled_message_id)$'
      and table_name ~ 'message|reaction|attachment|draft|reminder|webhook|notification|conversation_heads'
    order by 1, 2`;
  const found = columns.map(async ({ table, column }) => {
    const values = await sql.unsafe(`select ${column}::text as value from ${table} order by 1`);
    return [`${table}.${column}`, values.map((row) => String(row['value']))] as const;
  });
  return Object.fromEntries(await Promise.all(found));
}

async function append(sql: Sql, by: 'append_to_log' | 'append_events', realm: number): Promise<number> {
  const [row] = await sql.unsafe<{ message_id: number }[]>(
    `select message_id from ${by}(${realm}, $1::text::jsonb, '[]', true)`,
    [pendingMessage(realm, { flags: { mentioned: [realm] } })],
  );
  return row?.message_id ?? 0;
}

describe('ids that were int', () => {
  test('are the same as bigint, and nodes of the version before go on with them', async () => {
    await using old = await createOld(lastBefore);
    const { sql } = old;
    await sql.unsafe(rows);
    const before = await numbersIn(sql);
    expect(Object.keys(before).length).toBeGreaterThan(25);
    await migrate(old.url);
    expect((await readMigrationState(sql)).pending).toEqual([]);
    expect(await numbersIn(sql)).toMatchObject(before);
    const heads = await sql`select message_id from realm_heads order by realm_id`;
    expect(heads.map((row) => row['message_id'])).toEqual([3, 4]);

    // No two realms have the same ids, whichever version draws them.
    const drawn = [];
    for (const by of ['append_to_log', 'append_events'] as const) {
      for (const realm of [1, 2]) drawn.push(await append(sql, by, realm));
    }
    expect(drawn).toEqual([5, 6, 7, 8]);
    await sql`
      insert into message_flags (user_id, message_id, starred) values (1, 5, true), (2, 2, false)
      on conflict (user_id, message_id) do update set starred = excluded.starred`;
    await sql`
      insert into reactions (message_id, user_id, emoji_name, emoji_code, reaction_type) values (6, 2, 'a', 'b', 'c')`;
    await sql`insert into submessages (message_id, sender_id, type, content) values (6, 2, 'widget', '{}')`;
    await sql`insert into message_attachments (message_id, attachment_id) values (6, 2)`;
    const moves = await sql`
      with page as (select range_agg(int4range(id, id + 1)) as ids from unnest('{2,3}'::int[]) id)
      select (message_ids * page.ids)::text as ids from message_moves, page where message_ids && page.ids order by id`;
    expect(moves.map((row) => row['ids'])).toEqual(['{[2,3)}', '{[3,4)}']);
    expect(await sql`select from message_moves where message_ids @> ${2}::int`).toHaveLength(1);
    await sql`
      insert into message_moves (realm_id, user_id, moved_at, message_ids, prev_channel_id, channel_id, prev_topic, topic,
        is_resolving)
      select 1, 1, now(), range_agg(int4range(id, id + 1)), 1, 1, 'a', 'b', false from unnest('{1,2}'::int[]) id`;
    const stray = await sql`
      select from message_flags f left join messages m on m.realm_id = f.realm_id and m.id = f.message_id
      where m.id is null`;
    expect(stray).toHaveLength(0);
  });

  test('are counted by each realm once no node of the version before runs', async () => {
    await using old = await createOld(lastBefore);
    const { sql } = old;
    await sql.unsafe(rows);
    await migrate(old.url);
    await append(sql, 'append_to_log', 1);
    await migrate(old.url, { finishes: true });
    await migrate(old.url, { finishes: true });
    expect([await append(sql, 'append_events', 1), await append(sql, 'append_events', 2)]).toEqual([6, 5]);
    expect(await append(sql, 'append_events', 2)).toBe(6);
    await expect(append(sql, 'append_to_log', 1)).rejects.toThrow('nodes of an older version');
    const left = await sql`
      select indexname from pg_indexes where indexname like '%alone'
      union all select tgname from pg_trigger where tgname in ('fill_realm', 'widen_ids')`;
    expect(left).toHaveLength(0);
  });
});
