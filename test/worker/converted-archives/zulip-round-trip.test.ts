import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { chooseSource, convertArchive, exportedTables, writeZulipForm } from '@parley/archive';
import type { Sql } from '@parley/db';
import { afterAll, expect, test } from 'vitest';

import {
  type TestRealm,
  exportEverything,
  getWorld,
  say,
  startElsewhere,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import { importInto } from '../hostile-archives/deployment.ts';
import { furnishedRealm } from '../hostile-archives/furnished.ts';

const folder = await mkdtemp(join(tmpdir(), 'parley-round-trip-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Tables that Zulip's form does not have, and why that is so. */
const absent: Readonly<Record<string, string>> = {
  default_channel_groups: 'Zulip exports none',
  drafts: 'Zulip exports none',
  invitations: 'Zulip exports none',
  link_previews: 'they are made anew',
  submessages: 'Zulip exports none',
};

/** Columns that are others after the way there and back, and why. */
const explained: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  realms: {
    members_conversation_id: 'conversations of all members have no place there',
    icon_path: 'files get new random names',
    name: 'the import gives it',
  },
  users: {
    password_hash: 'no export of Zulip has passwords',
    key_generation: 'keys are made anew',
    key_digest: 'keys are made anew',
    key_digest_generation: 'keys are made anew',
    key_digests: 'keys are made anew',
    key_digests_generation: 'keys are made anew',
    key_digests_secrets: 'keys are made anew',
    avatar_path: 'files get new random names',
    avatar_version: 'counted for the addresses of files',
  },
  conversations: { id: 'conversations of two people and of all members are numbered anew' },
  channels: { weekly_traffic: 'it is counted anew', rendered_description: 'made anew' },
  topics: { id: 'topics have no ids there' },
  conversation_heads: {
    ordinal: 'messages that are gone leave no gaps, and moved ones count where they are',
    audience_id: 'it follows from the members',
    first_message_id: 'it follows from the messages',
  },
  conversation_members: {
    received: 'compared message by message',
    read: 'compared message by message',
  },
  messages: {
    ordinal: 'messages that are gone leave no gaps, and moved ones count where they are',
    read_by: 'compared message by message',
    unread_for: 'compared message by message',
    queue_id: 'of the deployment',
    local_id: 'of the deployment',
    previews_due_at: 'of the deployment',
    rendered_version: 'made anew',
    rendered_content: 'made anew: links to topics lead to what is newest now',
    search: 'it follows from the text',
  },
  message_edits: { id: 'edits have no ids there' },
  message_moves: { id: 'moves have no ids there' },
  reminders: { id: 'reminders and scheduled messages are in one table there' },
  scheduled_messages: { id: 'reminders and scheduled messages are in one table there' },
  scheduled_message_attachments: {
    scheduled_message_id: 'reminders and scheduled messages are in one table there',
  },
  attachments: { released_at: 'of the deployment' },
  bot_services: { failures: 'of the deployment', paused_until: 'of the deployment' },
  realm_emoji: { path: 'files get new random names', still_path: 'files get new random names' },
  presences: {},
};

/** Rows that have no place there, as conditions of those that have, and why. */
const without: Readonly<Record<string, string>> = {
  // Topics are names of messages there, or of what somebody follows.
  topics: `exists (select from messages m where m.topic_id = t.id) or exists (
    select from user_topics u where u.topic_id = t.id)`,
};

type Row = Record<string, unknown>;

/** Returns the rows of a table of an organization, with names for conversations and topics, which get new numbers. */
async function rowsOf(sql: Sql, table: string, realmId: number): Promise<string[]> {
  const found = exportedTables.find(({ name }) => name === table);
  const rows = await sql.unsafe<{ row: Row; place: string | null; topic: string | null }[]>(`
    select to_jsonb(t) as row,
      (select coalesce(h.name, array_to_string(v.people, '+'), 'all') from conversations v
        left join channels h on h.conversation_id = v.id
        where v.id = (to_jsonb(t) ->> '${table === 'conversations' ? 'id' : 'conversation_id'}')::bigint) as place,
      (select o.channel_id || ' ' || o.name from topics o where o.id = (to_jsonb(t) ->> 'topic_id')::bigint) as topic
    from ${table} t where ${found?.rows(realmId) ?? 'false'} and (${without[table] ?? 'true'})`);
  return rows
    .map(({ row, place, topic }) => {
      const own = Object.entries(row).filter(
        ([column]) => explained[table]?.[column] === undefined && !column.startsWith('wide_'),
      );
      const named: Row = Object.fromEntries(own);
      if (named['conversation_id'] !== undefined || table === 'conversations')
        named['conversation_id'] = place;
      if (named['topic_id'] !== undefined) named['topic_id'] = topic;
      // Nobody sees the color of a direct conversation.
      if (table === 'conversation_members' && /^\d/.test(place ?? '')) delete named['color'];
      // The addresses of the server's own bots are those of the product that the archive comes from.
      if (named['is_system'] === true && table === 'users')
        named['email'] = String(named['email']).split('@')[0];
      return JSON.stringify(named, Object.keys(named).sort());
    })
    .sort();
}

/** Returns who received which message, and for whom it is unread. */
const readStateOf = async (sql: Sql, realmId: number): Promise<string[]> =>
  (
    await sql<{ line: string }[]>`
      select m.id || ' ' || c.user_id || case when m.ordinal <@ c.read or m.read_by @> array[c.user_id]
        or (m.unread_for is not null and not m.unread_for @> array[c.user_id]) then ' read' else ' unread' end as line
      from messages m join conversation_members c on c.conversation_id = m.conversation_id and m.ordinal <@ c.received
      where m.realm_id = ${realmId} order by m.id, c.user_id`
  ).map(({ line }) => line);

/** Adds what the furnished organization does not have. */
async function addMore({ owner, alice, bob, bot }: TestRealm): Promise<void> {
  await subscribe(alice, 'secret', [alice, bob]);
  const { stream_id: secret } = await succeed(alice.get('/get_stream_id', { stream: 'secret' }));
  await succeed(
    owner.patch(`/streams/${secret}`, {
      is_private: true,
      history_public_to_subscribers: false,
      can_send_message_group: JSON.stringify({
        new: { direct_members: [alice.id], direct_subgroups: [] },
      }),
    }),
  );
  await say(alice, 'secret', 'plans', 'nobody knows');
  await say(bob, 'news', '', 'general chat');
  await subscribe(alice, 'attic', [alice]);
  const { stream_id: attic } = await succeed(alice.get('/get_stream_id', { stream: 'attic' }));
  await succeed(owner.delete(`/streams/${attic}`));
  await tell(bob, [alice, owner], 'the three of us');
  await tell(bob, [bob], 'to myself');
  const wildcard = await say(alice, 'news', 'tea', '@**all** come, and @**topic** too');
  await succeed(bob.post('/messages/flags', { messages: [wildcard], op: 'add', flag: 'collapsed' }));
  await succeed(bob.post('/mark_topic_as_read', { stream_id: secret, topic_name: 'plans' }));
  await succeed(
    alice.patch('/settings', { enter_sends: true, resolved_topic_notice_auto_read_policy: 'never' }),
  );
  await succeed(
    owner.patch('/realm', { enable_read_receipts: true, message_edit_history_visibility_policy: 'moves' }),
  );
  await say(bot, 'news', 'bots', 'I am a bot');
}

/** Adds pictures of the emoji, of somebody and of the organization. */
async function addPictures({ realm: { id }, alice }: TestRealm): Promise<void> {
  const { sql, store } = await getWorld();
  const put = (key: string, text: string) => store.put(key, Buffer.from(text), 'image/png');
  await put(`emoji/${id}/tea/original`, 'the picture of tea');
  await put(`avatars/${id}/face/100.png`, 'a small face');
  await put(`avatars/${id}/face/500.png`, 'a larger face');
  await put(`realm-pictures/${id}/icon/original`, 'an icon');
  await sql`update users set avatar_path = ${`${id}/face`} where id = ${alice.id}`;
  await sql`update realms set icon_path = ${`${id}/icon`}, icon_version = 4 where id = ${id}`;
}

async function filesIn(root: string, realmId: number): Promise<string[]> {
  const found: string[] = [];
  for (const kind of ['uploads', 'avatars', 'emoji', 'realm-pictures']) {
    const own = join(root, kind, String(realmId));
    for (const path of await readdir(own, { recursive: true, withFileTypes: true }).catch(() => [])) {
      // Smaller pictures of uploads, and the still ones of emoji, are made anew.
      if (!path.isFile() || !/^(?:original|\d+\.png)$/.test(path.name)) continue;
      found.push(
        `${kind} ${path.name} ${(await readFile(join(path.parentPath, path.name))).toString('base64')}`,
      );
    }
  }
  return found.sort();
}

test('an organization that goes to Zulip’s form and comes back is the same, table by table', async () => {
  const people = await furnishedRealm();
  await addMore(people);
  await addPictures(people);
  const { id } = people.realm;
  const { sql, uploads } = await getWorld();
  const own = await exportEverything(people.alice, join(folder, 'own.tar.gz'));
  const form = join(folder, 'zulip.tar.gz');
  const written = await writeZulipForm(own, form);
  expect(written.leftOut).toEqual({
    'groups of default channels': 1,
    drafts: 2,
    invitations: 1,
    'previews of pages': 1,
    'polls and to-do lists: what was added to messages': 2,
  });
  expect(await chooseSource(form, undefined)).toBe('zulip');
  await using converted = await convertArchive({ archive: form, from: 'zulip', name: 'acme' });
  expect(converted.report.leftOut).toEqual([]);
  await using elsewhere = await startElsewhere();
  await importInto(elsewhere, converted.file, 'acme');
  const differences: Record<string, { lost: string[]; found: string[] }> = {};
  for (const { name } of exportedTables) {
    if (absent[name] !== undefined) continue;
    const [before, after] = [await rowsOf(sql, name, id), await rowsOf(elsewhere.sql, name, id)];
    const lost = before.filter((row) => !after.includes(row));
    const found = after.filter((row) => !before.includes(row));
    expect(before.length, name).toBeGreaterThan(0);
    if (lost.length + found.length > 0 || before.length !== after.length) differences[name] = { lost, found };
  }
  expect(differences).toEqual({});
  expect(await readStateOf(elsewhere.sql, id)).toEqual(await readStateOf(sql, id));
  expect(await filesIn(elsewhere.uploads, id)).toEqual(await filesIn(uploads, id));
});
