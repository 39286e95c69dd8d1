import { type Sql, connectSql, encodeMembers } from '@parley/db';
import { channelGroupSettings } from '@parley/protocol';
import { inject } from 'vitest';

import { getWorld } from '../../support/index.ts';

/** How much an organization has, beside who is in every one. */
export interface Size {
  users: number;
  channels: number;
  topicsPerChannel: number;
  /** Conversations of its reader and somebody else. */
  directs: number;
  messages: number;
}

/** An organization to fill: `reader` is in each of its conversations. */
export interface Filled {
  realmId: number;
  readerId: number;
}

/** Ids of what is added begin here: no identity makes them. */
const firstId = 1_000_000_000;
/** Each organization has so many of them. */
const idsOfRealm = 100_000;

/** Runs statements by a connection of their own, whose buffers count for nobody. */
export async function runUncounted(run: (sql: Sql) => Promise<unknown>): Promise<void> {
  const { databaseUrl } = await getWorld();
  const sql = connectSql({ url: databaseUrl, name: 'filling', max: 1 });
  await run(sql);
  await sql.end({ timeout: 5 });
}

/** Makes organizations like any other; answers with each and somebody who is in it. */
export async function addNeighbours(sql: Sql, count: number): Promise<Filled[]> {
  const { idMax, memberIds } = inject('servers').preparedRealm;
  const shifts = Array.from({ length: count }, (_, index) => firstId / 2 + index * (idMax + 1));
  const members = shifts.map((shift) =>
    Buffer.from(encodeMembers(memberIds.map((id) => id + shift))).toString('hex'),
  );
  await sql`
    select copy_realm(shift, 'neighbour' || shift, decode(members, 'hex'))
    from unnest(${shifts}::int[], ${members}::text[]) of_realm (shift, members)`;
  return await sql<Filled[]>`
    select realm_id as "realmId", min(id) as "readerId" from users
    where full_name = 'Alice' and realm_id > ${firstId / 2} group by realm_id`;
}

/** Adds people, conversations and messages to organizations, without telling anybody; `place` is another for each call. */
export async function fill(sql: Sql, place: number, realms: readonly Filled[], size: Size): Promise<void> {
  await sql.begin(async (tx) => {
    await tx`
      create temporary table filled on commit drop as
      select realm_id, reader_id, ${firstId}::int + ${place}::int * ${idsOfRealm * 1000} + n::int * ${idsOfRealm} as first
      from unnest(${realms.map(({ realmId }) => realmId)}::int[], ${realms.map(({ readerId }) => readerId)}::int[])
        with ordinality filled (realm_id, reader_id, n)`;
    await addPeople(tx, size);
    await addMessages(tx, size);
  });
}

/** The id of somebody who was added to the first organization that was filled. */
export const personAt = (number: number): number => firstId + idsOfRealm + number;

/** Postgres would clean up at a moment of its own, and count what it reads. */
export async function turnVacuumOff(sql: Sql): Promise<void> {
  await sql.unsafe(`
    do $$ declare name regclass; begin
      for name in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
        execute format('alter table %s set (autovacuum_enabled = false)', name);
      end loop;
    end $$`);
}

/** Connections from now on read whole tables. */
export async function turnIndexesOff(sql: Sql): Promise<void> {
  await sql.unsafe(`
    do $$ declare name text; begin
      foreach name in array array['enable_indexscan', 'enable_indexonlyscan', 'enable_bitmapscan'] loop
        execute format('alter database %I set %I = off', current_database(), name);
      end loop;
    end $$`);
}

type Tx = Parameters<Parameters<Sql['begin']>[1]>[0];

async function addPeople(tx: Tx, { users, channels, topicsPerChannel, directs }: Size): Promise<void> {
  await tx`
    insert into users (id, realm_id, email, full_name, role, joined_at) overriding system value
    select first + n, realm_id, 'extra' || n || '@neighbours.example', 'Extra ' || n, 400, now() - interval '1 year'
    from filled, generate_series(1, ${users}::int) n`;
  await tx`
    insert into conversations (id, realm_id, people) overriding system value
    select first + n, realm_id, case when n > ${channels}::int then array[reader_id, first + n - ${channels}::int] end
    from filled, generate_series(1, ${channels}::int + ${directs}::int) n`;
  await tx`
    insert into channels (id, realm_id, conversation_id, name, group_settings) overriding system value
    select first + n, realm_id, first + n, 'channel ' || n, (
      select jsonb_object_agg(setting, (
        select id from user_groups g where g.realm_id = filled.realm_id and is_system and g.name = 'role:nobody'
      )) from unnest(${Object.keys(channelGroupSettings)}::text[]) setting
    ) from filled, generate_series(1, ${channels}::int) n`;
  await tx`
    insert into topics (id, realm_id, channel_id, name) overriding system value
    select first + c * 100 + n, realm_id, first + c, case when n = 1 then '✔ ' else '' end || 'topic ' || n || ' about tea'
    from filled, generate_series(1, ${channels}::int) c, generate_series(1, ${topicsPerChannel}::int) n`;
}

/**
 * The reader has received everything and read four fifths of it. Most words are in many messages, of all organizations.
 */
async function addMessages(
  tx: Tx,
  { channels, topicsPerChannel, directs, users, messages }: Size,
): Promise<void> {
  const places = channels + directs;
  await tx`
    insert into messages (id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
      rendered_content, rendered_version, client, has_link, mentions_channel)
    select n, realm_id, first + place, (n - 1) / ${places}::int + 1,
      case when place <= ${channels}::int then first + place end,
      case when place <= ${channels}::int then first + place * 100 + n * 31 % ${topicsPerChannel}::int + 1 end,
      case when place <= ${channels}::int then first + n * 37 % ${users}::int + 1 else first + place - ${channels}::int end,
      now() - (${messages}::int - n) * interval '1 minute', text, '<p>' || text || '</p>', 1000, 'test', n % 9 = 0, n % 40 = 0
    from filled, generate_series(1, ${messages}::int) n, lateral (select (n - 1) % ${places}::int + 1) p (place), lateral (
      select 'lunch at ' || n % 24 || ', ' || (array['tea', 'coffee', 'soup', 'bread', 'rice'])[n % 5 + 1] || ' number'
        || n % 500 || ' in the house of word' || n::bigint * 7919 % 1000 || ', again and again'
    ) w (text)`;
  await tx`
    insert into conversation_heads (realm_id, conversation_id, ordinal, audience_id, first_message_id)
    select filled.realm_id, first + n, ${Math.ceil(messages / places)}::int, everybody.audience_id, n
    from filled join realms on realms.id = realm_id
    join conversation_heads everybody on everybody.realm_id = realms.id and everybody.conversation_id = members_conversation_id,
    generate_series(1, ${places}::int) n`;
  const read = Math.floor((messages / places) * 0.8);
  await tx`
    insert into conversation_members (realm_id, conversation_id, user_id, received, read)
    select realm_id, first + n, reader_id, '{[1,)}'::int8multirange, int8multirange(int8range(1, ${read}::int + 1))
    from filled, generate_series(1, ${places}::int) n
    union all
    select realm_id, first + n, first + u, '{[1,)}'::int8multirange, '{[1,)}'::int8multirange from filled, generate_series(1, ${places}::int) n,
      generate_series(1, ${users}::int) u
    where case when n <= ${channels}::int then (n + u) % 20 = 0 else n - ${channels}::int = u end`;
  await tx`
    insert into message_flags (realm_id, user_id, message_id, starred, mentioned)
    select realm_id, reader_id, n, n % 20 = 0, n % 10 = 0 from filled, generate_series(10, ${messages}::int, 10) n`;
  await tx`
    insert into reactions (realm_id, message_id, user_id, emoji_name, emoji_code, reaction_type)
    select realm_id, n, reader_id, 'tada', '1f389', 'unicode_emoji' from filled, generate_series(5, ${messages}::int, 5) n`;
  await tx`
    update realm_heads set message_id = greatest(message_id, ${messages}::int)
    where realm_id in (select realm_id from filled)`;
}
