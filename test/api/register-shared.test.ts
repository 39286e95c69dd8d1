import { gunzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import {
  type Person,
  type Reply,
  addMembers,
  basic,
  call,
  channelId,
  countQueries,
  encode,
  getWorld,
  realm,
  say,
  subscribe,
  succeed,
  tell,
} from '../support/index.ts';

interface Listed {
  user_id: number;
  full_name: string;
  delivery_email: string | null;
  avatar_url: string | null;
}

const types = ['realm_user', 'realm_user_groups'];
const listed = async (person: Person, params: object = {}): Promise<Listed[]> =>
  (await succeed(person.post('/register', { fetch_event_types: types, ...params }))).realm_users;
/** The reply as it comes over the network. */
async function register(
  { email, apiKey, realm: { host } }: Person,
  encoding: string,
  fetched: readonly string[],
): Promise<Reply> {
  return await call({
    port: (await getWorld()).ports.api,
    method: 'POST',
    path: '/api/v1/register',
    headers: {
      Host: host,
      Authorization: basic(email, apiKey),
      'Accept-Encoding': encoding,
      'Content-Type': 'application/x-www-form-urlencoded',
    },
    body: encode({ fetch_event_types: fetched }),
  });
}
const emailsIn = (users: Listed[], people: Person[]) =>
  people.map(({ id }) => users.find(({ user_id }) => user_id === id)?.delivery_email ?? null);

describe('what registrations share', () => {
  test('shows everybody their own address, and that of others by role alone', async () => {
    const { alice, bob, carol, owner } = await realm();
    for (const person of [alice, bob]) {
      await succeed(person.patch('/settings', { email_address_visibility: 4 }));
    }
    await succeed(carol.patch('/settings', { email_address_visibility: 3 }));
    const people = [alice, bob, carol];
    const seen = new Map([
      [alice, [alice.email, null, null]],
      [bob, [null, bob.email, null]],
      [carol, [null, null, carol.email]],
      [owner, [null, null, carol.email]],
    ]);
    for (const [person, emails] of [...seen, ...seen]) {
      expect(emailsIn(await listed(person), people)).toEqual(emails);
    }
    const atOnce = [alice, bob, alice, owner, carol];
    const all = await Promise.all(atOnce.map((person) => listed(person)));
    expect(all.map((users) => emailsIn(users, people))).toEqual(atOnce.map((person) => seen.get(person)));
  });

  test('is as new as the log, whatever else is written meanwhile', async () => {
    const { alice, bob, owner } = await realm();
    const nameOf = async () => (await listed(alice)).find(({ user_id }) => user_id === bob.id)?.full_name;
    const before = await nameOf();
    await tell(alice, [bob]);
    expect(await nameOf()).toBe(before);
    await succeed(owner.patch(`/users/${bob.id}`, { full_name: 'Robert' }));
    expect(await nameOf()).toBe('Robert');
    await tell(alice, [bob]);
    await succeed(owner.delete(`/users/${bob.id}`));
    await tell(alice, [owner]);
    expect(await nameOf()).toBeUndefined();
  });

  test('hides an address from roles that nobody had when its owner hid it', async () => {
    const { alice, owner, moderator, realm: home, join } = await realm();
    // Whoever comes later is in another part of the lists.
    await addMembers(home, 320);
    const another = await join({ role: 300 });
    const setRole = (person: Person, role: number) => succeed(owner.patch(`/users/${person.id}`, { role }));
    const showTo = (email_address_visibility: number) =>
      succeed(alice.patch('/settings', { email_address_visibility }));
    await setRole(moderator, 400);
    await showTo(5);
    expect(emailsIn(await listed(another), [alice])).toEqual([alice.email]);
    await setRole(another, 400);
    await showTo(3);
    await setRole(another, 300);
    expect(emailsIn(await listed(another), [alice])).toEqual([null]);
  });

  test('reads again what the log names, and nothing else', async () => {
    const { alice, bob, carol, realm: home } = await realm();
    const { sql } = await getWorld();
    const extra = await addMembers(home, 320);
    const last = extra.at(-1) ?? 0;
    const namesOf = async () => {
      const users = await listed(alice);
      return [bob.id, last].map((id) => users.find(({ user_id }) => user_id === id)?.full_name);
    };
    const before = await namesOf();
    // Of this, the log says nothing.
    await sql`update users set full_name = full_name || ' II' where id = any(${[bob.id, last]}::int[])`;
    expect(await namesOf()).toEqual(before);
    await tell(alice, [bob]);
    await succeed(bob.post('/users/me/status', { status_text: 'here' }));
    await succeed(bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'another' }] }));
    expect(await namesOf()).toEqual(before);
    await succeed(carol.patch('/settings', { timezone: 'Europe/Paris' }));
    expect(await namesOf()).toEqual([`${before[0]} II`, before[1]]);
  });

  test('is shared by those alone who see the same', async () => {
    const { alice, bob } = await realm();
    const hidesGravatars = async (person: Person, client_gravatar: boolean) =>
      (await listed(person, { client_gravatar })).some(({ avatar_url }) => avatar_url === null);
    for (const person of [alice, bob, alice]) {
      expect(await hidesGravatars(person, true)).toBe(true);
      expect(await hidesGravatars(person, false)).toBe(false);
    }
  });

  test('is the same for those who take it compressed', async () => {
    const { alice, bob } = await realm();
    await succeed(alice.patch('/settings', { email_address_visibility: 4 }));
    // Queues have names of their own.
    const withoutName = (text: Buffer) => text.toString().replace(/"queue_id":"[^"]+"/, '"queue_id":""');
    for (const person of [alice, bob]) {
      const [plain, gzipped] = [
        await register(person, 'identity', types),
        await register(person, 'gzip', types),
      ];
      expect(plain.headers['content-encoding']).toBeUndefined();
      expect(gzipped.headers['content-encoding']).toBe('gzip');
      expect(plain.headers['content-length']).toBe(String(plain.bytes.length));
      expect(withoutName(gunzipSync(gzipped.bytes))).toBe(withoutName(plain.bytes));
    }
  });
});

describe('the channels of a registration', () => {
  const channelTypes = ['stream', 'subscription'];
  const describeChannel = async (person: Person, name: string, description: string) =>
    await succeed(person.patch(`/streams/${await channelId(person, name)}`, { description }));
  const textOf = (number: number) =>
    Array.from({ length: 60 }, (_, index) => Math.imul(index + 1, number).toString(36)).join(' ');

  test('are a fifth of it when they are compressed, or less', async () => {
    const { alice, owner } = await realm();
    for (let number = 0; number < 10; number += 1) await subscribe(owner, `channel ${number}`, [alice]);
    const [plain, gzipped] = [
      await register(alice, 'identity', channelTypes),
      await register(alice, 'gzip', channelTypes),
    ];
    expect(gzipped.bytes.length).toBeLessThan(plain.bytes.length / 5);
    const { subscriptions, streams } = JSON.parse(gunzipSync(gzipped.bytes).toString());
    expect([subscriptions.length, streams.length]).toEqual([10, 10]);
  });

  test('do not tell by their length what a channel says that others may not read', async () => {
    const { alice, bob, guest, owner } = await realm();
    await succeed(
      owner.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'closed', description: textOf(0x9e3779b1) }],
        principals: [alice.id, owner.id],
        invite_only: true,
      }),
    );
    await subscribe(owner, 'open', [alice, bob, guest]);
    await subscribe(owner, 'for the guest', [guest]);
    const lengthFor = async (person: Person, description: string) => {
      await describeChannel(owner, 'open', description);
      return (await register(person, 'gzip', channelTypes)).bytes.length;
    };
    const [guessed, another] = [textOf(0x9e3779b1), textOf(0x85ebca6b)];
    expect(Math.abs((await lengthFor(alice, guessed)) - (await lengthFor(alice, another)))).toBeLessThan(60);
    await describeChannel(owner, 'for the guest', guessed);
    expect(Math.abs((await lengthFor(guest, guessed)) - (await lengthFor(guest, another)))).toBeLessThan(60);
  });
});

describe('what an organization says of itself in a registration', () => {
  const describeRealm = (person: Person, description: string) =>
    succeed(person.patch('/realm', { description }));

  test('is a quarter of it when it is compressed', async () => {
    const { alice } = await realm();
    const shown = ['realm', 'custom_profile_fields', 'realm_linkifiers', 'channel_folders'];
    const [plain, gzipped] = [await register(alice, 'identity', shown), await register(alice, 'gzip', shown)];
    expect(gzipped.bytes.length).toBeLessThan(plain.bytes.length / 4);
    const [whole, same] = [plain.bytes, gunzipSync(gzipped.bytes)].map((bytes) =>
      JSON.parse(bytes.toString()),
    );
    expect({ ...same, queue_id: '' }).toEqual({ ...whole, queue_id: '' });
  });

  test('does not tell by its length what somebody has written for themselves', async () => {
    const { alice, owner } = await realm();
    const [secret, another] = [0x9e3779b1, 0x85ebca6b].map((number) =>
      Array.from({ length: 60 }, (_, index) => Math.imul(index + 1, number).toString(36)).join(' '),
    ) as [string, string];
    await succeed(
      alice.post('/drafts', { drafts: [{ type: 'private', to: [owner.id], topic: '', content: secret }] }),
    );
    const lengthFor = async (description: string) => {
      await describeRealm(owner, description);
      return (await register(alice, 'gzip', ['realm', 'drafts'])).bytes.length;
    };
    expect(Math.abs((await lengthFor(secret)) - (await lengthFor(another)))).toBeLessThan(60);
  });
});

test('a registration asks Postgres for most of the state at once', async () => {
  const { alice } = await realm();
  const { databaseUrl, startApi } = await getWorld();
  await using counter = await countQueries(databaseUrl);
  await using api = await startApi({ databaseUrl: counter.url, databaseConnections: 1 });
  // A statement is prepared when it has come a few times.
  for (let time = 0; time < 6; time += 1) {
    counter.take();
    await succeed(alice.ask('POST', '/register', {}, { port: api.port }).then(({ body }) => body));
  }
  const { queries, turns } = counter.take();
  expect(queries).toBeGreaterThan(30);
  expect(turns).toBeLessThan(queries / 2);
});

describe('what a registration costs', () => {
  test('is few statements, none of which reads what another has', async () => {
    const { alice, bob } = await realm();
    const { databaseUrl, startApi } = await getWorld();
    await subscribe(alice, 'news', [alice, bob]);
    await say(bob, 'news', 'topic');
    await tell(bob, [alice]);
    const followed = { stream_id: await channelId(alice, 'news'), topic: 'topic', visibility_policy: 3 };
    await succeed(alice.post('/user_topics', followed));
    await using counter = await countQueries(databaseUrl);
    await using api = await startApi({ databaseUrl: counter.url, databaseConnections: 1 });
    const counts: number[] = [];
    // What a node asks now and then by itself may come between.
    for (let time = 0; time < 8; time += 1) {
      counter.take();
      const reply = await alice.ask('POST', '/register', {}, { port: api.port });
      expect(reply.body).toMatchObject({ result: 'success' });
      counts.push(counter.take().queries);
    }
    expect(Math.min(...counts)).toBeLessThanOrEqual(42);
  });
});
