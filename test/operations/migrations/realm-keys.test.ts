import { type Sql, migrate } from '@parley/db';
import { expect, test } from 'vitest';

import { faultsOfKeys } from '../../laws/realm-keys.ts';
import { createOld } from './old-database.ts';

/** The last migration of the versions in which tables of people do not say their realm. */
const lastBefore = 61;

/** Two realms with an account, a conversation and a channel each, of the same number as its realm. */
const organizations = `
  insert into realms (name, display_name) values ('a', 'A'), ('b', 'B');
  insert into users (realm_id, email, full_name, role) select id, name || '@x', name, 400 from realms order by id;
  insert into custom_profile_fields (realm_id, name, type, position) select id, name, 1, 1 from realms order by id;
  insert into conversations (realm_id) select id from realms order by id;
  insert into channels (realm_id, conversation_id, name, group_settings)
    select realm_id, id, 'news', '{}' from conversations order by id;
`;

/** What nodes of the version before write of a user, some of it twice. */
const write = (user: number) => `
  insert into muted_users (user_id, muted_user_id) values (${user}, ${user}) on conflict do nothing;
  insert into user_statuses (user_id) values (${user}) on conflict do nothing;
  insert into bot_services (bot_id, base_url, interface, token) values (${user}, 'x', 1, 't')
    on conflict (bot_id) do update set base_url = excluded.base_url;
  insert into bot_storage (user_id, key, value, characters, bytes) values (${user}, 'k', 'v', 2, 2)
    on conflict (user_id, key) do update set value = excluded.value;
  insert into custom_profile_values (user_id, field_id, value) values (${user}, ${user}, 'v')
    on conflict (user_id, field_id) do update set value = excluded.value;
  insert into drafts (user_id, type, recipients, topic, content, edited_at) values (${user}, '', '{}', '', '', now());
  insert into saved_snippets (user_id, title, content) values (${user}, 't', 'c');
  insert into navigation_views (user_id, fragment, is_pinned) values (${user}, 'f' || random(), true);
  insert into onboarding_steps_seen (user_id, name) values (${user}, 'n') on conflict do nothing;
  insert into digests (user_id, sent_on) values (${user}, now())
    on conflict (user_id) do update set sent_on = excluded.sent_on;
  insert into sessions (token_hash, user_id, key_generation, created_at, expires_at)
    values ('hash ' || random(), ${user}, 1, now(), now());
  insert into push_tokens (realm_id, user_id, service, token, registered_at, session_hash)
    select ${user}, ${user}, 'web', token_hash, now(), token_hash from sessions where user_id = ${user}
    on conflict do nothing;
  insert into attachments (realm_id, owner_id, path_id, name, content_type, size)
    values (${user}, ${user}, 'p' || random(), 'n', 't', 1);
  insert into scheduled_messages
    (user_id, type, recipients, topic, content, rendered_content, client, read_by_sender, due_at)
    values (${user}, 'private', '{}', '', '', '', '', true, now());
  insert into scheduled_message_attachments (scheduled_message_id, attachment_id)
    select s.id, a.id from scheduled_messages s join attachments a on a.owner_id = s.user_id
    where s.user_id = ${user} on conflict (scheduled_message_id, attachment_id) do nothing;
  insert into partial_uploads (id, realm_id, user_id, bytes, created_at, expires_at)
    values ('upload ${user}', ${user}, ${user}, 1, now(), now()) on conflict do nothing;
  insert into partial_upload_pieces (upload_id, start, name) values ('upload ${user}', random() * 1000000000, 'n');
  insert into realm_exports (realm_id, user_id, type, requested_at, folder) values (${user}, ${user}, 1, now(), 'f');
  insert into realm_export_parts (export_id, number, name, bytes)
    select max(id), 1, 'n', 1 from realm_exports where user_id = ${user};
  insert into topics (channel_id, name) values (${user}, 't') on conflict (channel_id, lower(name)) do nothing;
  insert into user_topics (user_id, topic_id, policy, updated_at)
    select ${user}, id, 1, now() from topics where channel_id = ${user}
    on conflict (user_id, topic_id) do update set policy = excluded.policy;
  insert into conversation_members (conversation_id, user_id) values (${user}, ${user})
    on conflict (conversation_id, user_id) do update set is_muted = true;
  insert into audiences (realm_id) values (${user});
  insert into conversation_heads (conversation_id, audience_id)
    select ${user}, max(id) from audiences where realm_id = ${user} on conflict (conversation_id) do nothing;
`;

/** Statements of nodes of the version before that are valid as long as the primary key is the number alone. */
const ofNumbers = `
  select name from topics group by id;
  select created_at from channels group by id;
`;

/** Tables whose rows did not say their realm, with the user whom they belong to. */
const owners = {
  muted_users: 'user_id',
  user_statuses: 'user_id',
  bot_services: 'bot_id',
  bot_storage: 'user_id',
  custom_profile_values: 'user_id',
  drafts: 'user_id',
  saved_snippets: 'user_id',
  navigation_views: 'user_id',
  onboarding_steps_seen: 'user_id',
  digests: 'user_id',
  sessions: 'user_id',
  scheduled_messages: 'user_id',
  scheduled_message_attachments:
    '(select s.user_id from scheduled_messages s where s.id = t.scheduled_message_id)',
  partial_upload_pieces: '(select u.user_id from partial_uploads u where u.id = t.upload_id)',
  topics: 'channel_id',
  conversation_members: 'user_id',
  conversation_heads: 'conversation_id',
  user_topics: 'user_id',
  realm_export_parts: '(select e.user_id from realm_exports e where e.id = t.export_id)',
};

/** How many rows each table has, and how many of them say another realm than that of their user. */
async function count(sql: Sql) {
  const counts = Object.entries(owners).map(async ([table, owner]) => {
    const [row] = await sql.unsafe<{ rows: number; strays: number }[]>(
      `select count(*)::int as rows, count(*) filter (where realm_id is distinct from ${owner})::int as strays
        from ${table} t`,
    );
    return [table, row] as const;
  });
  return Object.fromEntries(await Promise.all(counts));
}

test('rows of people say their realm, and nodes of the version before go on until none runs', async () => {
  await using old = await createOld(lastBefore);
  const { sql } = old;
  await sql.unsafe(organizations + write(1) + write(2));
  await migrate(old.url);
  const each = (row: { rows?: number; strays: number }) =>
    Object.fromEntries(Object.keys(owners).map((table) => [table, row]));
  expect(await count(sql)).toEqual(each({ rows: 2, strays: 0 }));

  await sql.unsafe(write(1) + write(2));
  const after = await count(sql);
  expect(after).toMatchObject(each({ strays: 0 }));
  expect(after).toMatchObject({ drafts: { rows: 4 }, sessions: { rows: 4 }, digests: { rows: 2 } });
  await sql`delete from sessions where realm_id = 1`;
  expect(await sql`select from push_tokens`).toHaveLength(2);
  await expect(
    sql`insert into onboarding_steps_seen (realm_id, user_id, name) values (1, 2, 'other')`,
  ).rejects.toThrow('onboarding_steps_seen_user_id_fkey');

  await sql.unsafe(ofNumbers);
  await migrate(old.url, { finishes: true });
  await migrate(old.url, { finishes: true });
  expect(await faultsOfKeys(sql)).toEqual([]);
  await expect(sql.unsafe(ofNumbers)).rejects.toThrow('must appear in the GROUP BY clause');
  await expect(sql.unsafe(write(1))).rejects.toThrow('violates not-null constraint');
  const left = await sql`
    select relname from pg_class where relname like '%without_realm'
    union all select tgname from pg_trigger where tgname = 'name_realm'`;
  expect(left).toHaveLength(0);
});

/** A message with a local echo in the channel of each realm, and an upload. */
const written = `
  insert into messages (
    realm_id, id, conversation_id, ordinal, channel_id, sender_id, sent_at, content, rendered_content, client, queue_id, local_id
  ) select c.realm_id, 1, c.conversation_id, 1, c.id, c.realm_id, now(), '', '', '', 'q', '1' from channels c;
  insert into attachments (realm_id, owner_id, path_id, name, content_type, size)
    select id, id, id || '/random/name', 'n', 't', 1 from realms;
`;

/** What is there already, with the index that refuses it. */
const repeated = {
  messages_ordinal: `insert into messages
    (realm_id, id, conversation_id, ordinal, sender_id, sent_at, content, rendered_content, client)
    select 1, 2, conversation_id, 1, 1, now(), '', '', '' from channels where realm_id = 1`,
  messages_echo: `insert into messages
    (realm_id, id, conversation_id, ordinal, sender_id, sent_at, content, rendered_content, client, queue_id, local_id)
    select 1, 2, conversation_id, 2, 1, now(), '', '', '', 'q', '1' from channels where realm_id = 1`,
  attachments_path: `insert into attachments (realm_id, owner_id, path_id, name, content_type, size)
    values (1, 1, '1/random/name', 'n', 't', 1)`,
  channels_conversation: `insert into channels (realm_id, conversation_id, name, group_settings)
    select 1, conversation_id, 'another', '{}' from channels where realm_id = 1`,
};

test('what is unique stays unique in its organization', async () => {
  await using old = await createOld(68);
  const { sql } = old;
  await sql.unsafe(organizations + written);
  for (const finishes of [false, true]) {
    await migrate(old.url, { finishes });
    for (const [name, statement] of Object.entries(repeated)) {
      await expect(sql.unsafe(statement)).rejects.toThrow(name);
    }
  }
});

test('nodes of both versions keep each other out, until none of the version before runs', async () => {
  await using old = await createOld(lastBefore);
  const { sql } = old;
  await sql.unsafe(organizations);
  await migrate(old.url);
  const before = [
    `pg_advisory_xact_lock(hashtextextended('channel:1:news', 0))`,
    'pg_advisory_xact_lock(2, 5)',
    'pg_advisory_xact_lock(3, 1)',
    'pg_advisory_xact_lock(4, 7)',
  ];
  const now = [
    `lock_name(1, 'channel', 'news')`,
    `lock_shared(1, 'topic policies', '5', false)`,
    `lock_shared(1, 'user groups', '', true)`,
    `lock_name(1, 'schedule', '7')`,
  ];
  /** How many of the locks one node waits for while another one has them. */
  const countWaits = async () => {
    let waits = 0;
    await sql.begin(async (tx) => {
      for (const lock of before) await tx.unsafe(`select ${lock}`);
      for (const lock of now) {
        const tried = sql.begin(async (other) => {
          await other`set local lock_timeout = 50`;
          await other.unsafe(`select ${lock}`);
        });
        waits += await tried.then(
          () => 0,
          () => 1,
        );
      }
    });
    return waits;
  };
  expect(await countWaits()).toBe(4);
  await migrate(old.url, { finishes: true });
  expect(await countWaits()).toBe(0);
});
