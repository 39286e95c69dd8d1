import { afterAll, describe, expect, test } from 'vitest';

import {
  type Json,
  type TestRealm,
  feedSearch,
  getWorld,
  interrupt,
  parley,
  personIn,
  runOnDemand,
  startSearchEngine,
  withProcesses,
} from '../../support/index.ts';
import { createChannel, inChannel, livingRealm, openSlackArchives, read } from './living.ts';

const archives = await openSlackArchives();
afterAll(() => archives[Symbol.asyncDispose]());
const { archive, downloads, importInto } = archives;

const tryInto = async ({ realm: { name } }: TestRealm) =>
  await parley(['import', archive, '--into', name, '--files', downloads], {
    env: { UPLOADS_DIR: (await getWorld()).uploads },
  });

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

/** What an organization has in the end, without ids. */
async function contentsOf({ realm: { id } }: TestRealm): Promise<unknown> {
  const { sql } = await getWorld();
  const messages = await sql`
    select c.name as channel, t.name as topic, cardinality(v.people) as people, u.email, m.content, m.sent_at,
      m.ordinal, (select count(*)::int from reactions r where r.realm_id = m.realm_id and r.message_id = m.id) as reactions,
      (select array_agg(p.email order by p.email)
        from conversation_members r join users p on p.realm_id = r.realm_id and p.id = r.user_id
        where r.realm_id = m.realm_id and r.conversation_id = m.conversation_id and r.read @> m.ordinal) as read_by
    from messages m join users u on u.realm_id = m.realm_id and u.id = m.sender_id
    join conversations v on v.realm_id = m.realm_id and v.id = m.conversation_id
    left join channels c on c.realm_id = m.realm_id and c.id = m.channel_id
    left join topics t on t.realm_id = m.realm_id and t.id = m.topic_id
    where m.realm_id = ${id} order by m.id`;
  const subscribed = await sql`
    select c.name, u.full_name from channels c
    join conversation_members m on m.realm_id = c.realm_id and m.conversation_id = c.conversation_id
    join users u on u.realm_id = m.realm_id and u.id = m.user_id where c.realm_id = ${id} and m.is_subscribed order by 1, 2`;
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
  test('what comes with it is in the next search, also of an engine that had everything before', async () => {
    const home = await livingRealm();
    const { sql, startApi } = await getWorld();
    await using server = await startSearchEngine();
    await using node = await startApi({ search: server.options });
    const client = server.client();
    await feedSearch(home.realm, client);
    await importInto(home);
    const [imported] = await sql<{ id: number; word: string }[]>`
      select m.id, substring(m.content from '[a-zA-Z]{5,}') as word
      from messages m join imported_messages i on i.realm_id = m.realm_id and i.message_id = m.id
      join channels c on c.realm_id = m.realm_id and c.id = m.channel_id
      where m.realm_id = ${home.realm.id} and m.content ~ '[a-zA-Z]{5,}' and not c.is_private order by m.id limit 1`;
    const narrow = [
      ['channels', 'public'],
      ['search', imported?.word],
    ];
    const params = { anchor: 'newest', num_before: 100, num_after: 0, narrow };
    for (const isFed of [false, true]) {
      if (isFed) await feedSearch(home.realm, client);
      const { body } = await home.owner.ask('GET', '/messages', params, { port: node.port });
      expect(body.messages.map(({ id }: Json) => id)).toContain(imported?.id);
      expect(body).toEqual(await home.owner.get('/messages', params));
    }
  });

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

  test('an import that is interrupted wherever it writes leads to the same when it is gone on with', async () => {
    const { sql } = await getWorld();
    const [whole, interrupted] = [await livingRealm(), await livingRealm()];
    await importInto(whole);
    for (const [table, row] of places) {
      await using _ = await interrupt(sql, { table, change: 'insert', number: row });
      const failing = await tryInto(interrupted);
      expect(failing, `${table} ${row}`).toMatchObject({ code: 1 });
      expect(failing.stderr).toContain('interrupted on purpose');
    }
    expect(await importInto(interrupted)).toMatchObject({ into: { is_done: false } });
    expect(await contentsOf(interrupted)).toEqual(await contentsOf(whole));
    expect(await importInto(interrupted)).toMatchObject({ into: { is_done: true } });
  });
});
