import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

import type { Sql } from '@parley/db';
import { afterAll, describe, expect, test } from 'vitest';

import {
  type ExportFiles,
  smallSlackDownloads,
  smallSlackExport,
} from '../../import-archives/slack-small.ts';
import { jsonFiles, writeZip } from '../../import-archives/zip.ts';
import {
  type Json,
  type Person,
  type TestRealm,
  getWorld,
  parley,
  parleyJson,
  personIn,
  realm,
  runOnDemand,
  withProcesses,
} from '../../support/index.ts';

const folder = await mkdtemp(join(tmpdir(), 'parley-into-'));
afterAll(() => rm(folder, { recursive: true, force: true }));

const downloads = join(folder, 'files');
for (const [path, content] of Object.entries(smallSlackDownloads)) {
  await mkdir(dirname(join(downloads, path)), { recursive: true });
  await writeFile(join(downloads, path), content);
}

async function archiveOf(name: string, files: ExportFiles = smallSlackExport()): Promise<string> {
  const file = join(folder, name);
  await writeZip(file, jsonFiles(files));
  return file;
}

const archive = await archiveOf('export.zip');

/** A message of a later export, by the id of its channel and the name of its folder. */
const later = (channel: string, folderName: string) => ({ channel, folderName });

/** The export as it is some days later, when somebody has written in some places. */
const withMore = (...places: readonly { folderName: string }[]): ExportFiles => ({
  ...smallSlackExport(),
  ...Object.fromEntries(
    places.map(({ folderName }, index) => [
      `${folderName}/2024-01-01.json`,
      [{ type: 'message', user: 'U3', ts: `1704100000.00${index}000`, text: `later in ${folderName}` }],
    ]),
  ),
});

/** An organization in which Alice has the address of the archive's Olivia. */
async function livingRealm(): Promise<TestRealm> {
  const home = await realm();
  const { sql } = await getWorld();
  await sql`update users set email = 'olivia@acme.example' where id = ${home.alice.id}`;
  return { ...home, alice: await personIn(home.realm.name, home.alice.id) };
}

const parleyInto = async ({ realm: { name } }: TestRealm) =>
  await parley(['import', archive, '--into', name, '--files', downloads], {
    env: { UPLOADS_DIR: (await getWorld()).uploads },
  });

const importInto = async ({ realm: { name } }: TestRealm, file = archive, more: string[] = []) => {
  const env = { UPLOADS_DIR: (await getWorld()).uploads };
  return await parleyJson<Json>(['import', file, '--into', name, '--files', downloads, ...more], { env });
};

async function createChannel(by: Person, name: string, isPrivate: boolean): Promise<void> {
  const made = await by.post('/users/me/subscriptions', {
    subscriptions: [{ name }],
    invite_only: isPrivate,
  });
  expect(made).toMatchObject({ result: 'success' });
}

const read = async (person: Person, narrow: object[]): Promise<Json[]> => {
  const params = { anchor: 'newest', num_before: 100, num_after: 0, narrow, apply_markdown: false };
  return (await person.get('/messages', params)).messages ?? [];
};
const inChannel = (name: string) => [{ operator: 'channel', operand: name }];

/** What another server of the same people has, in the same time. */
const mattermostLines = [
  { type: 'version', version: 1 },
  { type: 'team', team: { name: 'acme', display_name: 'Acme', type: 'O' } },
  { type: 'channel', channel: { team: 'acme', name: 'elsewhere', display_name: 'Elsewhere', type: 'O' } },
  {
    type: 'user',
    user: {
      username: 'olivia',
      email: 'olivia@acme.example',
      roles: 'system_user',
      teams: [{ name: 'acme', roles: 'team_user', channels: [{ name: 'elsewhere', roles: 'channel_user' }] }],
    },
  },
  { type: 'user', user: { username: 'bob', email: 'bob@acme.example', roles: 'system_user' } },
  { type: 'direct_channel', direct_channel: { members: ['olivia', 'bob'] } },
  {
    type: 'direct_post',
    direct_post: {
      channel_members: ['olivia', 'bob'],
      user: 'bob',
      message: 'elsewhere, too',
      create_at: 1_700_000_014_500,
    },
  },
  ...['from elsewhere', 'and more'].map((message, index) => ({
    type: 'post',
    post: {
      team: 'acme',
      channel: 'elsewhere',
      user: 'olivia',
      message,
      create_at: 1_700_000_003_500 + index,
    },
  })),
]
  .map((line) => `${JSON.stringify(line)}\n`)
  .join('');

/** Where an import is interrupted: at a row of a table, counted from where it began again. */
const places = [
  ['users', 1],
  ['users', 4],
  ['realm_emoji', 1],
  ['channels', 2],
  ['conversations', 2],
  ['conversation_members', 1],
  ['topics', 2],
  ['attachments', 1],
  ['messages', 9],
  ['imported_messages', 3],
  ['reactions', 2],
  ['merged_archives', 1],
] as const;

/** Lets a row of a table be refused. */
async function failAt(tx: Pick<Sql, 'unsafe'>, table: string, row: number): Promise<void> {
  await tx.unsafe(`
    create sequence interruptions;
    grant all on sequence interruptions to public;
    create or replace function interrupt() returns trigger language plpgsql as $$
    begin
      if nextval('interruptions') = ${row} then raise 'interrupted on purpose'; end if;
      return new;
    end $$;
    create trigger interrupt before insert on ${table} for each row execute function interrupt()`);
}

/** What an organization has in the end, without ids. */
async function contentsOf({ realm: { id } }: TestRealm): Promise<unknown> {
  const { sql } = await getWorld();
  const messages = await sql`
    select c.name as channel, t.name as topic, cardinality(v.people) as people, u.email, m.content, m.sent_at,
      m.ordinal, (select count(*)::int from reactions r where r.realm_id = m.realm_id and r.message_id = m.id) as reactions,
      (select array_agg(p.email order by p.email) from conversation_members r join users p on p.id = r.user_id
        where r.conversation_id = m.conversation_id and r.read @> m.ordinal) as read_by
    from messages m join users u on u.id = m.sender_id join conversations v on v.id = m.conversation_id
    left join channels c on c.id = m.channel_id left join topics t on t.id = m.topic_id
    where m.realm_id = ${id} order by m.id`;
  const subscribed = await sql`
    select c.name, u.full_name from channels c join conversation_members m on m.conversation_id = c.conversation_id
    join users u on u.id = m.user_id where c.realm_id = ${id} and m.is_subscribed order by 1, 2`;
  const [counts] = await sql`
    select (select count(*)::int from users where realm_id = ${id}) as users,
      (select count(*)::int from conversations where realm_id = ${id}) as conversations,
      (select count(*)::int from attachments where realm_id = ${id}) as files,
      (select bytes::int from upload_usage where realm_id = ${id}) as bytes,
      (select count(*)::int from channels where realm_id = ${id} and is_archived) as archived`;
  const withoutIds = (text: string) => text.replaceAll(/(?<=\||user_uploads\/)\d+/g, '');
  const told = messages.map((row) => ({ ...row, content: withoutIds(String(row['content'])) }));
  return { messages: told, subscribed: subscribed.map((row) => ({ ...row })), counts };
}

describe('an archive is imported into an organization that people use', withProcesses, () => {
  test('people hear of who and what comes, and of nothing that was written; it stands before what they wrote', async () => {
    const home = await livingRealm();
    const { alice, bob } = home;
    await createChannel(alice, 'General', false);
    await bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'General' }] });
    await bob.post('/messages', { type: 'channel', to: 'General', topic: 'now', content: 'written here' });
    const before = await alice.post('/register', { fetch_event_types: ['message'] });
    const collect = () => runOnDemand('collect-search-terms', home.realm.id);
    await collect();
    const ear = await alice.listen();
    const done = await importInto(home);
    expect(done.into).toMatchObject({
      is_done: false,
      people: { here: 1, created: 11 },
      channels: { here: 1, created: 2 },
      renamed_channels: [],
      emoji: { here: 0, created: 1 },
      messages: { here: 0, created: 21 },
      left_out: {},
    });
    const heard = await ear.hears();
    expect(heard.filter(({ type }) => type === 'message')).toEqual([]);
    expect(new Set(heard.map(({ type }) => type))).toEqual(
      new Set(['realm_user', 'realm_bot', 'user_group', 'stream', 'subscription', 'realm_emoji']),
    );
    const messages = await read(alice, inChannel('General'));
    expect(messages.map(({ content }) => content).at(-1)).toBe('written here');
    // Those of the archive, and the notice of who created the channel.
    expect(messages).toHaveLength(15 + 2);
    expect(messages[0]?.sender_email).toBe(alice.email);
    expect(messages[0]?.sender_id).toBe(alice.id);
    const after = await alice.post('/register', { fetch_event_types: ['message'] });
    expect(after.unread_msgs).toEqual(before.unread_msgs);
    const edited = messages.find(({ content }) => String(content).startsWith('**bold**'));
    expect(edited?.reactions.map((one: Json) => one.emoji_name)).toEqual(['+1', '+1', 'party', 'rocket']);
    const { members } = await alice.get('/users');
    const roles = members.map((one: Json) => [one.full_name, one.role]);
    expect(roles).toContainEqual(['Adam', 400]);
    expect(roles).toContainEqual(['Gus', 600]);
    const file = messages.find(({ content }) => String(content).startsWith('two files'));
    const path = /\/user_uploads\/[^)]+/.exec(String(file?.content))?.[0] ?? '';
    expect(path).toContain(`/user_uploads/${home.realm.id}/`);
    expect((await alice.fetch(path)).text).toBe('a file');
    const { sql } = await getWorld();
    await collect();
    const [kept] = await sql`
      select (select bytes::int from upload_usage where realm_id = ${home.realm.id}) as bytes,
        exists (select from search_terms where realm_id = ${home.realm.id} and word = 'harbour') as collected`;
    expect(kept).toEqual({ bytes: 6, collected: true });
    const found = await read(bob, [...inChannel('General'), { operator: 'search', operand: 'harbour' }]);
    expect(found.map(({ subject }) => subject)).toEqual([
      'Where do we have lunch on Friday, and who of you...',
    ]);
  });

  test('a private channel is mixed with no other, and only who was in it reads what was said there', async () => {
    const home = await livingRealm();
    const { alice, carol, admin } = home;
    await createChannel(carol, 'secret', true);
    await carol.post('/messages', { type: 'channel', to: 'secret', topic: 'now', content: 'not for Olivia' });
    const { into } = await importInto(home);
    expect(into.renamed_channels).toEqual([{ name: 'secret', as: 'secret (imported)' }]);
    expect((await read(alice, inChannel('secret (imported)'))).map(({ content }) => content)).toEqual([
      'Keep it',
    ]);
    for (const other of [carol, admin]) expect(await read(other, inChannel('secret (imported)'))).toEqual([]);
    expect(await read(alice, inChannel('secret'))).toEqual([]);
    // Later archives find it again by what is in it.
    const again = await importInto(home, await archiveOf('private.zip', withMore(later('G1', 'secret'))));
    expect(again.into).toMatchObject({ renamed_channels: [], channels: { here: 3, created: 0 } });
    expect((await read(alice, inChannel('secret (imported)'))).map(({ content }) => content)).toEqual([
      'Keep it',
      'later in secret',
    ]);
  });

  test('the same archive changes nothing, and a later one adds what it has more', async () => {
    const home = await livingRealm();
    const { alice, bob } = home;
    const first = await importInto(home);
    const written = await bob.post('/messages', { type: 'direct', to: [alice.id], content: 'in between' });
    expect(await importInto(home)).toMatchObject({
      into: { is_done: true, messages: { here: 21, created: 0 } },
    });
    const file = await archiveOf('later.zip', withMore(later('C1', 'general'), later('D1', 'D1')));
    const plan = await importInto(home, file, ['--plan']);
    const more = await importInto(home, file);
    for (const { into } of [plan, more]) {
      expect(into).toMatchObject({
        is_done: false,
        people: { here: 12, created: 0 },
        channels: { here: 3, created: 0 },
        emoji: { here: 1, created: 0 },
        messages: { here: 21, created: 2 },
      });
    }
    expect(first.into.messages.created).toBe(21);
    const all = await read(alice, []);
    const contents = all.map(({ content }) => content);
    expect(new Set(contents.slice(-3))).toEqual(new Set(['in between', 'later in D1', 'later in general']));
    expect(contents.at(-1)).toBe('in between');
    expect(all.at(-1)?.id).toBe(written.id);
    expect(contents.filter((content) => content === 'Keep it')).toHaveLength(1);
  });

  test('people who have left a channel since stay away, and so does a message that was deleted', async () => {
    const home = await livingRealm();
    const { alice, owner } = home;
    await importInto(home);
    await alice.delete('/users/me/subscriptions', { subscriptions: ['general'] });
    const [gone] = await read(alice, [{ operator: 'search', operand: 'harbour' }]);
    expect(await owner.delete(`/messages/${gone?.id}`)).toMatchObject({ result: 'success' });
    await importInto(home, await archiveOf('left.zip', withMore(later('C1', 'general'))));
    const { subscriptions } = await alice.get('/users/me/subscriptions');
    expect(subscriptions.map(({ name }: Json) => name)).not.toContain('general');
    expect(await read(alice, [{ operator: 'search', operand: 'harbour' }])).toEqual([]);
    expect(await read(alice, [{ operator: 'search', operand: '"later in general"' }])).toHaveLength(1);
  });

  test('direct messages join the conversation of their people, before what these have written, and are read', async () => {
    const home = await livingRealm();
    const { alice } = home;
    const { sql } = await getWorld();
    await sql`update users set email = 'bob@acme.example' where id = ${home.bob.id}`;
    const bob = await personIn(home.realm.name, home.bob.id);
    await alice.post('/messages', { type: 'direct', to: [bob.id], content: 'new and unread' });
    await importInto(home);
    const messages = await read(bob, [{ operator: 'dm', operand: [alice.id] }]);
    expect(messages.map(({ content }) => content)).toEqual(['hi', 'hi yourself', 'new and unread']);
    expect(messages.map(({ flags }) => flags.includes('read'))).toEqual([true, true, false]);
    await alice.post('/messages', { type: 'direct', to: [bob.id], content: 'answer' });
    const unread = await read(bob, [{ operator: 'is', operand: 'unread' }]);
    expect(unread.map(({ content }) => content)).toEqual(['new and unread', 'answer']);
  });

  test('an archive needs ids before the first message of the organization', async () => {
    const home = await livingRealm();
    const { sql } = await getWorld();
    await sql`update realm_heads set message_id = 5 where realm_id = ${home.realm.id}`;
    await home.bob.post('/messages', { type: 'direct', to: [home.alice.id], content: 'the sixth' });
    const { code, stderr } = await parley(['import', archive, '--into', home.realm.name]);
    expect(code).toBe(1);
    expect(stderr).toContain('21 messages');
    const [left] =
      await sql`select count(*)::int as imports from realm_imports where realm_id = ${home.realm.id}`;
    expect(left).toEqual({ imports: 0 });
    expect(await read(home.alice, [])).toHaveLength(1);
  });

  test('an organization that an archive has become takes a later archive of the same source', async () => {
    const name = `slack${Date.now() % 1_000_000}`;
    const env = { UPLOADS_DIR: (await getWorld()).uploads };
    await parleyJson(['import', archive, '--name', name, '--files', downloads], { env });
    const file = await archiveOf('cutover.zip', withMore(later('C1', 'general')));
    const { into } = await parleyJson<Json>(['import', file, '--into', name, '--files', downloads], { env });
    expect(into).toMatchObject({ people: { created: 0 }, messages: { here: 21, created: 1 } });
  });

  test('a later archive changes what its source has changed and deletes what it has deleted, but not what was edited here', async () => {
    const home = await livingRealm();
    const { alice, owner } = home;
    await importInto(home);
    const other = join(folder, 'other.jsonl');
    await writeFile(other, mattermostLines);
    expect((await importInto(home, other)).into.messages).toMatchObject({ created: 3, removed: 0 });
    expect(await owner.patch('/realm', { message_content_edit_limit_seconds: '"unlimited"' })).toMatchObject({
      result: 'success',
    });
    const [kept] = await read(alice, [{ operator: 'search', operand: '"Keep it"' }]);
    expect(await alice.patch(`/messages/${kept?.id}`, { content: 'Kept here' })).toMatchObject({
      result: 'success',
    });
    const ear = await alice.listen({ event_types: ['message', 'update_message', 'delete_message'] });
    const changed = JSON.parse(
      JSON.stringify(withMore(later('C1', 'general')))
        .replace('At the harbour', 'At the *lake*')
        .replace('"text":"Keep it"', '"text":"Keep it there"'),
    ) as ExportFiles;
    const day = changed['general/2023-11-14.json'] as { text: string }[];
    changed['general/2023-11-14.json'] = day.filter(({ text }) => text !== 'Again');
    const file = await archiveOf('changed.zip', changed);
    const { into } = await importInto(home, file);
    expect(into.messages).toEqual({ here: 20, created: 1, changed: 1, removed: 1, kept_as_edited: 1 });
    const heard = (await ear.hears()).map(({ type, rendering_only, content }) => [
      type,
      rendering_only,
      content,
    ]);
    expect(heard).toEqual([
      ['delete_message', undefined, undefined],
      ['update_message', false, 'At the **lake**'],
    ]);
    const texts = (await read(alice, [])).map(({ content }) => content);
    expect(texts).toEqual(expect.arrayContaining(['At the **lake**', 'Kept here', 'later in general']));
    for (const gone of ['Again', 'At the harbour', 'Keep it there']) expect(texts).not.toContain(gone);
    // The other source has these still.
    expect(texts).toContain('elsewhere, too');
    expect((await read(alice, inChannel('Elsewhere'))).map(({ content }) => content)).toEqual([
      'from elsewhere',
      'and more',
    ]);
    expect(
      (
        await importInto(
          home,
          await archiveOf('changed-again.zip', { ...changed, 'old/2024-01-03.json': [] }),
        )
      ).into,
    ).toMatchObject({
      is_done: true,
    });
  });

  test('an import that is interrupted wherever it writes leads to the same when it is gone on with', async () => {
    const { sql } = await getWorld();
    const [whole, interrupted] = [await livingRealm(), await livingRealm()];
    await importInto(whole);
    for (const [table, row] of places) {
      const failing = await sql.begin((tx) => failAt(tx, table, row)).then(() => parleyInto(interrupted));
      expect(failing, `${table} ${row}`).toMatchObject({ code: 1 });
      expect(failing.stderr).toContain('interrupted on purpose');
      await sql.unsafe(`drop trigger interrupt on ${table}; drop sequence interruptions`);
    }
    expect(await importInto(interrupted)).toMatchObject({ into: { is_done: false } });
    expect(await contentsOf(interrupted)).toEqual(await contentsOf(whole));
    expect(await importInto(interrupted)).toMatchObject({ into: { is_done: true } });
  });
});
