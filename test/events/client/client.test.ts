import { type Client, type MessageList, type State, connect, createClient } from '@parley/client';
import { afterEach, expect, test, vi } from 'vitest';

import {
  type Person,
  type TestRealm,
  emptyChannel,
  groupId,
  realm,
  say,
  startOneAddress,
  succeed,
} from '../../support/index.ts';
import { shown } from '../follower/index.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A network that can be cut off, or lose the answers to what was asked below a path. */
function createNetwork() {
  let [isDown, lost, cable] = [false, '', new AbortController()];
  const asked: string[] = [];
  const ask: typeof fetch = async (input, init) => {
    const request = `${init?.method} ${new URL(input instanceof Request ? input.url : input).pathname}`;
    if (isDown) throw new TypeError('fetch failed');
    asked.push(request);
    const signal = AbortSignal.any([cable.signal, ...(init?.signal ? [init.signal] : [])]);
    const reply = await fetch(input, { ...init, signal });
    if (request !== lost) return reply;
    lost = '';
    throw new TypeError('fetch failed');
  };
  return {
    ask,
    /** What was asked, as `METHOD path`. */
    asked,
    /** Loses the next answer to a request. */
    lose(request: string) {
      lost = request;
    },
    cut() {
      isDown = true;
      cable.abort();
    },
    mend() {
      cable = new AbortController();
      isDown = false;
    },
  };
}

async function open(person: Person) {
  const address = await startOneAddress(person.realm.host);
  const network = createNetwork();
  const credentials = { email: person.email, apiKey: person.apiKey };
  const client = createClient(connect({ baseUrl: address.url, credentials, fetch: network.ask }));
  closing.push(
    async () => await address[Symbol.asyncDispose](),
    () => client.stop(),
  );
  await client.started;
  return { client, network };
}

const until = (isSo: () => unknown) => vi.waitUntil(isSo, { timeout: 60_000, interval: 20 });

/** What fresh clients know, without what passes and what each client holds of messages. */
const known = (state: State): State => ({
  ...shown(state),
  own: { ...state.own, server_timestamp: 0 },
  messages: new Map(),
  presences: new Map(),
  typing: new Map(),
});

const stateOf = ({ state }: Client): State => {
  if (!state) throw new Error('The client has no state.');
  return state;
};

/** The client ends where one starts that knows nothing. */
async function expectFresh(person: Person, followed: Client): Promise<void> {
  const { client } = await open(person);
  const newest = stateOf(client).maxMessageId;
  await until(() => stateOf(followed).maxMessageId === newest);
  expect(known(stateOf(followed))).toEqual(known(stateOf(client)));
}

/** Somebody whose list shows a channel in which others speak. */
async function inChannel() {
  const people = await realm();
  const { alice, bob } = people;
  const channelId = await emptyChannel(alice, 'news', [alice, bob]);
  const { client, network } = await open(bob);
  const list = client.lists.open([{ operator: 'channel', operand: channelId }]);
  await list.load('newest');
  return { alice, bob, people, channelId, client, network, list };
}

const texts = ({ ids, message }: MessageList) => ids.map((id) => message(id)?.content);

test('whoever is cut off and loses the queue registers anew, and ends where a fresh client starts', async () => {
  const { alice, bob, channelId, client, network, list } = await inChannel();
  await say(alice, channelId, 'tea', 'one');
  await until(() => list.ids.length === 1);
  network.cut();
  await until(() => client.status === 'offline');

  const id = await say(alice, channelId, 'tea', 'two');
  await succeed(alice.patch(`/messages/${list.ids[0]}`, { content: 'edited' }));
  await emptyChannel(alice, 'food', [alice, bob]);
  await succeed(bob.delete('/events', { queue_id: client.queueId }));
  const before = client.state;
  network.mend();
  client.retryNow();

  await until(() => client.status === 'online' && client.state !== before);
  await until(() => list.ids.length === 2);
  expect(texts(list)).toEqual(['<p>edited</p>', '<p>two</p>']);
  expect(stateOf(client).unread.places.has(id)).toBe(true);
  await expectFresh(bob, client);

  await say(alice, 'food', 'tea', 'three');
  await until(() => stateOf(client).unread.places.size === 3);
  await expectFresh(bob, client);
});

test('whoever is cut off for a moment goes on with the same queue', async () => {
  const { alice, bob, channelId, client, network, list } = await inChannel();
  const [before, queue] = [client.state, client.queueId];
  network.cut();
  await until(() => client.status === 'offline');
  await say(alice, channelId);
  network.mend();
  client.retryNow();
  await until(() => list.ids.length === 1);
  expect([client.state, client.queueId]).toEqual([before, queue]);
  await expectFresh(bob, client);
});

test('whoever may not ask any more is told so, and asks no more', async () => {
  const { bob, people, client } = await inChannel();
  const ended = new Promise((resolve) => client.onStatus(resolve));
  await succeed(people.owner.delete(`/users/${bob.id}`));
  expect(await ended).toMatchObject({ status: 'ended', error: { status: 401 } });
});

test('a message is shown while it is on its way, and once when the reply to it is lost', async () => {
  const { client, channelId, network, list } = await inChannel();
  network.lose('POST /api/v1/messages');
  const pending = client.outbox.send({ channelId, topic: 'tea' }, 'mine');
  expect(list.pending()).toMatchObject([{ localId: pending.localId, state: 'sending', content: 'mine' }]);
  await until(() => list.ids.length === 1 && client.outbox.pending.size === 0);
  await until(() => texts(list)[0] === '<p>mine</p>');
  expect(stateOf(client).unread.places.size).toBe(0);
});

test('a lost reply to a send is asked for again, and the server sends nothing twice', async () => {
  const { client, alice, channelId, network, list } = await inChannel();
  network.cut();
  client.outbox.send({ channelId, topic: 'tea' }, 'first');
  client.outbox.send({ channelId, topic: 'tea' }, 'second');
  await until(() => client.status === 'offline');
  network.mend();
  network.lose('POST /api/v1/messages');
  client.retryNow();
  await until(() => list.ids.length === 2 && client.outbox.pending.size === 0);
  expect(texts(list)).toEqual(['<p>first</p>', '<p>second</p>']);
  const narrow = [['channel', channelId]];
  const page = await alice.get('/messages', { anchor: 'newest', num_before: 10, narrow });
  expect(page.messages).toHaveLength(2);
});

test('a message that is refused stays as failed, until its author sends it again or lets it go', async () => {
  const { client, people, channelId, list } = await inChannel();
  const { localId } = client.outbox.send({ channelId: channelId + 1_000_000, topic: 'tea' }, 'nowhere');
  await until(() => client.outbox.pending.get(localId)?.state === 'failed');
  expect(client.outbox.pending.get(localId)).toMatchObject({ error: { code: 'STREAM_DOES_NOT_EXIST' } });
  expect(client.outbox.discard(localId)?.content).toBe('nowhere');

  await succeed(
    people.owner.patch(`/streams/${channelId}`, { can_send_message_group: { new: await nobody(people) } }),
  );
  const refused = client.outbox.send({ channelId, topic: 'tea' }, 'again');
  await until(() => client.outbox.pending.get(refused.localId)?.state === 'failed');
  await succeed(
    people.owner.patch(`/streams/${channelId}`, { can_send_message_group: { new: await everyone(people) } }),
  );
  client.outbox.retry(refused.localId);
  await until(() => client.outbox.pending.size === 0);
  expect(texts(list)).toContain('<p>again</p>');
});

const nobody = ({ owner }: TestRealm) => groupId(owner, 'role:nobody');
const everyone = ({ owner }: TestRealm) => groupId(owner, 'role:everyone');

test('a message that is moved leaves one list and joins another', async () => {
  const { client, alice, channelId } = await inChannel();
  const [tea, cake] = ['tea', 'cake'].map((topic) =>
    client.lists.open([
      { operator: 'channel', operand: channelId },
      { operator: 'topic', operand: topic },
    ]),
  );
  if (!tea || !cake) throw new Error('There are two lists.');
  await say(alice, channelId, 'tea', 'old');
  await Promise.all([tea.load('newest'), cake.load('newest')]);
  const id = await say(alice, channelId, 'tea', 'new');
  await until(() => tea.ids.length === 2);
  await succeed(alice.patch(`/messages/${id}`, { topic: 'cake', propagate_mode: 'change_all' }));
  await until(() => cake.ids.length >= 2);
  expect(texts(cake).slice(0, 2)).toEqual(['<p>old</p>', '<p>new</p>']);
  expect(tea.ids).toEqual([]);
});

test('what only the server can decide is asked for', async () => {
  const { client, alice, channelId } = await inChannel();
  const found = client.lists.open([{ operator: 'search', operand: 'cherries' }]);
  await found.load('newest');
  await say(alice, channelId, 'tea', 'nothing');
  const id = await say(alice, channelId, 'tea', 'many cherries');
  await until(() => found.ids.length === 1);
  expect(found.ids).toEqual([id]);
  expect(found.match(id)?.content).toContain('highlight');
});

test('a narrow that the server refuses is asked for once, and one that nobody shows not at all', async () => {
  const { client, network, alice, channelId, list } = await inChannel();
  const refused = client.lists.open([{ operator: 'is', operand: 'nonsense' }]);
  const left = client.lists.open([{ operator: 'search', operand: 'cherries' }]);
  await Promise.all([refused.load('newest'), left.load('newest')]);
  expect(refused.error).toMatchObject({ code: 'BAD_NARROW' });
  left.close();
  const before = network.asked.length;
  for (const count of [1, 2, 3]) {
    await say(alice, channelId, 'tea', 'cherries');
    await until(() => list.ids.length === count);
  }
  refused.close();
  await say(alice, channelId, 'tea', 'cherries');
  await until(() => list.ids.length === 4);
  expect(network.asked.slice(before).filter((one) => one.includes('messages'))).toEqual([]);
  expect(client.lists.open([{ operator: 'search', operand: 'cherries' }])).not.toBe(left);
});

test('pages are joined without gaps, in both directions', async () => {
  const people = await realm();
  const { alice, bob } = people;
  const channelId = await emptyChannel(alice, 'news', [alice, bob]);
  const ids: number[] = [];
  for (let count = 0; count < 7; count += 1) ids.push(await say(alice, channelId, 'tea', String(count)));
  const address = await startOneAddress(bob.realm.host);
  closing.push(async () => await address[Symbol.asyncDispose]());
  const credentials = { email: bob.email, apiKey: bob.apiKey };
  const client = createClient(connect({ baseUrl: address.url, credentials }), { pageSize: 2 });
  closing.push(() => client.stop());
  await client.started;
  const list = client.lists.open([{ operator: 'channel', operand: channelId }]);
  await list.load(ids[3] ?? 0);
  expect([list.ids, list.hasOldest, list.hasNewest]).toEqual([ids.slice(2, 5), false, false]);
  await list.loadOlder();
  await list.loadOlder();
  await list.loadNewer();
  await list.loadNewer();
  expect([list.ids, list.hasOldest, list.hasNewest]).toEqual([ids, true, true]);
});
