import { expect, test } from 'vitest';

import {
  type Params,
  type Person,
  emptyChannel,
  getWorld,
  realm,
  say,
  succeed,
} from '../../support/index.ts';
import { describeBuffers, ofRequest, sumOf } from '../neighbours/buffers.ts';

const join = (person: Person, name: string) =>
  succeed(person.post('/users/me/subscriptions', { subscriptions: [{ name }] }));
const leave = (person: Person, name: string) =>
  succeed(person.delete('/users/me/subscriptions', { subscriptions: [name] }));

/** Channels of alice, with 5000 messages in each; bob has joined since, and heard one message in the first. */
async function joinLate(names: string[]) {
  const { alice, bob } = await realm();
  for (const name of names) {
    await emptyChannel(alice, name, [alice]);
    await sayOften(alice, name, 5000);
    await join(bob, name);
  }
  const heard = await say(alice, names[0] ?? '', 't', 'with bob');
  const { sql } = await getWorld();
  await sql`vacuum analyze messages`;
  return { alice, bob, heard };
}

interface Page {
  messages: { id: number }[];
  found_oldest: boolean;
  found_newest: boolean;
}

const idsOf = ({ messages }: Page) => messages.map(({ id }) => id);

/** What a page reads at least: what other connections have read is counted later, and only adds. */
async function readFor(person: Person, params: Params) {
  const tries = [];
  for (let at = 0; at < 3; at += 1) tries.push(await ofRequest(person, 'GET', '/messages', params));
  const [least] = tries.toSorted((one, other) => sumOf(one.buffers) - sumOf(other.buffers));
  if (!least) throw new Error('Nothing was read.');
  return least;
}

const everything = { anchor: 'newest', num_before: 100, num_after: 0 };

test('A page of all that somebody received costs as much whatever was said in their channels before they came.', async () => {
  const one = await joinLate(['hall']);
  const many = await joinLate(['hall', 'yard', 'roof', 'garden']);
  const little = await readFor(one.bob, everything);
  const much = await readFor(many.bob, everything);

  expect(idsOf(little.body)).toEqual([one.heard]);
  expect(idsOf(much.body)).toEqual([many.heard]);
  expect(much.body.found_oldest).toBe(true);
  expect(sumOf(much.buffers), describeBuffers(much.buffers)).toBeLessThan(sumOf(little.buffers) * 1.1);
});

test('A page of public channels costs as much whatever is said in a private one that its reader may not read.', async () => {
  const inPublic = async (saidInPrivate: number) => {
    const { alice, bob, heard } = await joinLate(['hall']);
    const { sql } = await getWorld();
    await emptyChannel(alice, 'vault', [alice]);
    await sql`
      update channels set is_private = true, shares_history = false
      where name = 'vault' and realm_id = ${alice.realm.id}`;
    await sayOften(alice, 'vault', saidInPrivate);
    await sql`vacuum analyze messages`;
    const narrow = [['channels', 'public']];
    const { body, buffers } = await ofRequest(bob, 'GET', '/messages', {
      ...everything,
      num_before: 1,
      narrow,
    });
    expect(idsOf(body)).toEqual([heard]);
    return buffers;
  };
  const little = await inPublic(2500);
  const much = await inPublic(12_500);
  expect(sumOf(much), describeBuffers(much)).toBeLessThan(sumOf(little) * 1.1);
});

test('Pages hold what somebody received, in order, who came and left again among thousands of messages.', async () => {
  const { alice, bob } = await joinLate(['hall']);
  const received: number[] = [];
  const visit = async () => {
    for (const content of ['one', 'two', 'three']) received.push(await say(alice, 'hall', 't', content));
  };
  const page = async (params: Record<string, unknown>): Promise<Page> =>
    await succeed(bob.get('/messages', params));
  received.push(...idsOf(await page(everything)));
  await visit();
  await leave(bob, 'hall');
  await sayOften(alice, 'hall', 2500);
  await join(bob, 'hall');
  await visit();
  await leave(bob, 'hall');
  await sayOften(alice, 'hall', 2500);
  await join(bob, 'hall');

  const newest = await page(everything);
  expect(idsOf(newest)).toEqual(received);
  expect([newest.found_oldest, newest.found_newest]).toEqual([true, true]);
  expect(idsOf(await page({ ...everything, num_before: 4 }))).toEqual(received.slice(-4));
  const [oldest = 0, second = 0] = received;
  expect(idsOf(await page({ anchor: second, num_before: 5, num_after: 4 }))).toEqual(received.slice(0, 6));
  expect(idsOf(await page({ anchor: 'oldest', num_before: 0, num_after: 5 }))).toEqual(received.slice(0, 5));
  const older = await page({ anchor: received.at(-3), num_before: 2, num_after: 0, include_anchor: false });
  expect(idsOf(older)).toEqual(received.slice(-5, -3));
  expect(older.found_oldest).toBe(false);
  expect(idsOf(await page({ anchor: oldest, num_before: 5, num_after: 0 }))).toEqual([oldest]);
});

test('Pages hold direct messages by their ids, also where an import has put older ones behind those that were there.', async () => {
  const { alice, bob } = await joinLate(['hall']);
  const { sql } = await getWorld();
  const send = async (content: string): Promise<number> =>
    (await succeed(alice.post('/messages', { type: 'direct', to: [bob.id], content }))).id;
  const sent = [await send('one'), await send('two'), await send('three'), await send('four')];
  const [first = 0, second = 0] = sent;
  await sql`
    update messages set ordinal = ordinal + 100 where realm_id = ${alice.realm.id} and id in (${first}, ${second})`;
  await leave(bob, 'hall');
  await sayOften(alice, 'hall', 2500);
  const page = async (params: Record<string, unknown>) =>
    idsOf(await succeed(bob.get('/messages', { narrow: [], ...params })));
  expect((await page(everything)).slice(-4)).toEqual(sent);
  expect(await page({ ...everything, num_before: 3 })).toEqual(sent.slice(1));
  expect(await page({ anchor: sent.at(-2), num_before: 2, num_after: 0, include_anchor: false })).toEqual([
    first,
    second,
  ]);
});

/** Sends so many messages to a channel of alice alone; a page does not look through 2500 by itself. */
async function sayOften(alice: Person, name: string, times: number): Promise<void> {
  const { sql } = await getWorld();
  const id = await say(alice, name, 't', 'first');
  await sql`
    with head as (
      update realm_heads set message_id = message_id + ${times}::int where realm_id = ${alice.realm.id}
    ), place as (
      update conversation_heads c set ordinal = c.ordinal + ${times}::int from messages m
      where c.realm_id = m.realm_id and c.conversation_id = m.conversation_id and m.realm_id = ${alice.realm.id} and m.id = ${id}
    )
    insert into messages (id, realm_id, conversation_id, ordinal, channel_id, topic_id, sender_id, sent_at, content,
      rendered_content, client)
    select m.id + n, realm_id, conversation_id, ordinal + n, channel_id, topic_id, sender_id, sent_at, 'x', 'x', 'test'
    from messages m, generate_series(1, ${times}::int) n
    where realm_id = ${alice.realm.id} and m.id = ${id}`;
}
