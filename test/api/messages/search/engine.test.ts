import type { ServerResponse } from 'node:http';

import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { isOfToday, testNothingLeftOut } from '../../../support/by-day.ts';
import {
  type Json,
  type Person,
  type SearchServer,
  feedSearch,
  getWorld,
  realm,
  repeatMessage,
  say,
  startSearchEngine,
  subscribe,
  succeed,
} from '../../../support/index.ts';
import { isNight, seed } from '../../../support/seed.ts';
import { newsroom } from '../newsroom.ts';
import { judged } from './judged/index.ts';

let engine: SearchServer;
let port: number;
let client: ReturnType<SearchServer['client']>;
const open: AsyncDisposable[] = [];

/** Starts an api node that asks the engine. One that has met a fault leaves the engine alone, as no time passes for it. */
async function startNode(): Promise<void> {
  const startedMs = Date.now();
  const clock = { nowMs: () => startedMs };
  const node = await (await getWorld()).startApi({ search: engine.options, clock });
  open.push(node);
  port = node.port;
}

beforeAll(async () => {
  engine = await startSearchEngine();
  open.unshift(engine);
  client = engine.client();
  await startNode();
});
afterAll(async () => {
  for (const one of open.toReversed()) await one[Symbol.asyncDispose]();
});

const feed = (who: Person) => feedSearch(who.realm, client);

/** What a search is answered with, the same by the node with the engine as by the other. */
async function search(who: Person, narrow: Json[], more: object = {}): Promise<Json> {
  const params = { anchor: 'newest', num_before: 1000, narrow, ...more };
  const { status, body } = await who.ask('GET', '/messages', params, { port });
  expect(body, JSON.stringify(narrow)).toEqual(await who.get('/messages', params));
  expect(status).toBe(200);
  return body;
}

const find = async (who: Person, ...narrow: Json[]): Promise<number[]> =>
  (await search(who, narrow)).messages.map(({ id }: Json) => id);

/** Looks that the engine was asked meanwhile. */
async function asking<Result>(work: () => Promise<Result>, times = 1): Promise<Result> {
  const isSearch = (path: string) => path.includes('/_search');
  const before = engine.paths.filter(isSearch).length;
  const result = await work();
  expect(engine.paths.filter(isSearch).length - before).toBeGreaterThanOrEqual(times);
  return result;
}

const ofToday = judged.filter((_, at) => isOfToday(at, 3));
testNothingLeftOut('judged searches with an engine', {
  left: judged.length - ofToday.length,
  of: judged.length,
});
test.each(ofToday)('a search in $language finds the same with an engine', async ({ messages, queries }) => {
  const { alice, bob } = await realm();
  await subscribe(alice, 'news', [alice, bob]);
  for (const message of messages) await say(bob, 'news', 'chat', message);
  await feed(alice);
  await asking(async () => {
    for (const [query] of queries) await find(alice, ['search', query]);
  }, queries.length / 2);
});

describe('what was acknowledged is in the next search though the engine has not heard of it', () => {
  test('a message that is sent, edited, moved, deleted and restored', async () => {
    const { admin, alice, bob } = await newsroom();
    const old = await say(bob, 'news', 'animals', 'about horses');
    const other = await say(bob, 'news', 'animals', 'about bicycles');
    await feed(alice);
    const sent = await say(bob, 'news', 'animals', 'horses again');
    expect(await asking(() => find(alice, ['search', 'horse']))).toEqual([old, sent]);
    await succeed(bob.patch(`/messages/${other}`, { content: 'about horses and carts' }));
    await succeed(bob.patch(`/messages/${old}`, { content: 'about nothing' }));
    expect(await asking(() => find(alice, ['search', 'horse']))).toEqual([other, sent]);
    const move = { topic: 'zebras', propagate_mode: 'change_one', send_notification_to_new_thread: false };
    await succeed(admin.patch(`/messages/${old}`, { ...move, send_notification_to_old_thread: false }));
    expect(await find(alice, ['search', 'zebra'])).toEqual([old]);
    const inTopic = [
      ['channel', 'news'],
      ['topic', 'zebras'],
      ['search', 'nothing'],
    ];
    expect(await asking(() => find(alice, ...inTopic))).toEqual([old]);
    await succeed(admin.delete(`/messages/${sent}`));
    expect(await asking(() => find(alice, ['search', 'horse']))).toEqual([other]);
    await feed(alice);
    expect(await asking(() => find(alice, ['search', 'horse']))).toEqual([other]);
    expect(await find(alice, ...inTopic)).toEqual([old]);
  });

  test('what has become visible, or is no more', async () => {
    const { alice, bob } = await newsroom();
    await subscribe(alice, 'secret', [alice], { invite_only: true, history_public_to_subscribers: false });
    const hidden = await say(alice, 'secret', 'plans', 'a zeppelin');
    await feed(alice);
    expect(await asking(() => find(bob, ['search', 'zeppelin']))).toEqual([]);
    expect(await find(alice, ['search', 'zeppelin'])).toEqual([hidden]);
    await subscribe(alice, 'secret', [bob]);
    expect(await find(bob, ['search', 'zeppelin'])).toEqual([]);
    const { stream_id: id } = await succeed(alice.get('/get_stream_id', { stream: 'secret' }));
    await succeed(alice.patch(`/streams/${id}`, { is_private: true, history_public_to_subscribers: true }));
    const inSecret = [
      ['channel', 'secret'],
      ['search', 'zeppelin'],
    ];
    expect(await find(bob, ...inSecret)).toEqual([hidden]);
    const subscriptions = ['secret'];
    await succeed(alice.delete(`/users/me/subscriptions`, { subscriptions, principals: [bob.id] }));
    expect((await search(alice, inSecret)).messages).toHaveLength(1);
    const { body } = await bob.ask(
      'GET',
      '/messages',
      { anchor: 'newest', num_before: 9, narrow: inSecret },
      { port },
    );
    expect(body.messages ?? []).toEqual([]);
  });
});

test('what has changed is found though the log that tells of it is gone, as long as the engine has not begun anew', async () => {
  const { alice, bob } = await newsroom();
  const { sql } = await getWorld();
  const id = await say(bob, 'news', 'chat', 'about tapirs');
  await feed(alice);
  await succeed(bob.patch(`/messages/${id}`, { content: 'about okapis' }));
  await sql`delete from event_log where realm_id = ${alice.realm.id}`;
  await say(bob, 'news', 'chat', 'about tapirs');
  expect(await find(alice, ['search', 'okapi'])).toEqual([id]);
  expect(await find(alice, ['search', 'tapir'])).toEqual([id + 1]);
  await sql`update realm_heads set epoch = gen_random_uuid() where realm_id = ${alice.realm.id}`;
  expect(await find(alice, ['search', 'okapi'])).toEqual([id]);
});

test('a search finds the same, whatever part of the history the engine has, in pages of any size and in both directions', async () => {
  const { alice, bob } = await newsroom();
  const { sql } = await getWorld();
  const gaps = [0, 1, 500, 1023, 3000, 65_536, 200_000];
  const random = fc.sample(
    fc.tuple(fc.constantFrom(...gaps), fc.constantFrom('tea', 'coffee', 'tea and coffee')),
    {
      numRuns: isNight ? 60 : 16,
      seed,
    },
  );
  const ids: number[] = [];
  for (const [at, [gap, text]] of random.entries()) {
    await sql`update realm_heads set message_id = message_id + ${gap} where realm_id = ${alice.realm.id}`;
    ids.push(await say(bob, 'news', 'chat', text));
    if (at === Math.floor(random.length * 0.8)) await feed(alice);
  }
  const borders = [0, ids[5] ?? 0, (ids[10] ?? 0) + 1, (ids.at(-1) ?? 0) + 5].filter((_, at) =>
    isOfToday(at, 2),
  );
  for (const from of borders) {
    await sql`update search_engine_cursors set filled_from = ${from} where realm_id = ${alice.realm.id}`;
    for (const word of ['tea', 'coffee']) {
      expect(await find(alice, ['search', word])).toEqual(
        ids.filter((_, at) => random[at]?.[1].includes(word)),
      );
      for (const num_before of [1, 3]) {
        for (let anchor: number | string = 'newest'; ;) {
          const page = await search(alice, [['search', word]], { anchor, num_before, include_anchor: false });
          if (page.found_oldest) break;
          anchor = page.messages[0].id;
        }
        await search(alice, [['search', word]], {
          anchor: 'oldest',
          num_before: 0,
          num_after: num_before + 4,
        });
      }
    }
  }
});

test('a search goes on, in both directions, where the engine names thousands that the reader may not read', async () => {
  const { alice, bob } = await newsroom();
  const { sql } = await getWorld();
  const first = await say(bob, 'news', 'chat', 'tea for you');
  await subscribe(bob, 'secret', [bob], { invite_only: true });
  const secret = await say(bob, 'secret', 'topic', 'tea');
  await repeatMessage(bob, secret, 4500);
  await sql`update realm_heads set message_id = message_id + 4500 where realm_id = ${alice.realm.id}`;
  const last = await say(bob, 'news', 'chat', 'more tea');
  await feed(alice);
  expect(await asking(() => find(alice, ['search', 'tea']), 2)).toEqual([first, last]);
  const oldest = { anchor: 'oldest', num_before: 0, num_after: 5 };
  const { messages } = await asking(() => search(alice, [['search', 'tea']], oldest), 2);
  expect(messages.map(({ id }: Json) => id)).toEqual([first, last]);
});

/** Ways in which an engine fails. */
const faults: Record<string, (response: ServerResponse) => void> = {
  'breaks the connection off': (response) => response.destroy(),
  'does not answer': () => undefined,
  'begins an answer and goes no further': (response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).write('{"took":');
  },
  'has an error': (response) => response.writeHead(500).end('{"error":{}}'),
  'has too much to do': (response) => response.writeHead(429).end('{"error":{}}'),
  'does not know the index': (response) => response.writeHead(404).end('{"error":{}}'),
  'refuses the password': (response) => response.writeHead(401).end('Unauthorized'),
  'answers with a page': (response) => response.writeHead(200).end('<html></html>'),
  'answers with another object': (response) => response.writeHead(200).end('{"hits":[]}'),
  'answers without end': (response) => {
    const part = ' '.repeat(1024 * 1024);
    const more = (): void => {
      if (!response.destroyed) response.write(part, more);
    };
    response.writeHead(200, { 'content-type': 'application/json' }).write(part, more);
  },
};

/** Answers that are none. */
const distortions: Record<string, (reply: Json) => Json> = {
  'says that it ran out of time': (reply) => ({ ...reply, timed_out: true }),
  'has lost a shard': (reply) => ({ ...reply, _shards: { total: 2, successful: 1, failed: 1 } }),
  'names messages that nobody asked for': (reply) => withIds(reply, [9e9, 8e9]),
  'names the same message again and again': ({ hits, ...reply }) =>
    withIds(
      { ...reply, hits },
      Array.from({ length: 3 }, () => hits.hits[0]?.sort[0] ?? 1),
    ),
  'names what is no message': (reply) => withIds(reply, ['x', null, -1, 1.5]),
};

const withIds = (reply: Json, ids: Json[]): Json => ({
  ...reply,
  hits: { hits: ids.map((id) => ({ sort: [id] })) },
});

describe('Postgres answers at once for an engine that', () => {
  let alice: Person;
  let found: number[];
  beforeAll(async () => {
    const room = await newsroom();
    alice = room.alice;
    found = [
      await say(room.bob, 'news', 'chat', 'an umbrella'),
      await say(room.bob, 'news', 'chat', 'umbrellas'),
    ];
    await feed(alice);
  });

  test.each(Object.entries(faults))('%s', async (_, meet) => {
    await startNode();
    engine.fault = { path: '/_search', meet: (__, response) => meet(response) };
    try {
      expect(await asking(() => find(alice, ['search', 'umbrella']))).toEqual(found);
      // It is left alone for a while.
      const asked = engine.paths.length;
      expect(await find(alice, ['search', 'umbrella'])).toEqual(found);
      expect(engine.paths.length).toBe(asked);
    } finally {
      engine.fault = null;
    }
  });

  test.each(Object.entries(distortions))('%s', async (_, distort) => {
    await startNode();
    engine.distort = distort;
    try {
      expect(await asking(() => find(alice, ['search', 'umbrella']))).toEqual(found);
    } finally {
      engine.distort = null;
      await startNode();
    }
  });
});

test('nobody finds what they may not read or what has no such word, though the engine names all that there is', async () => {
  const { alice, bob, carol } = await newsroom();
  await subscribe(alice, 'secret', [alice], { invite_only: true });
  const ids = [
    await say(bob, 'news', 'chat', 'an umbrella'),
    await say(bob, 'news', 'chat', 'something else'),
    await say(alice, 'secret', 'plans', 'an umbrella'),
  ];
  await feed(alice);
  engine.distort = (reply) => withIds(reply, ids.toReversed());
  try {
    expect(await asking(() => find(alice, ['search', 'umbrella']))).toEqual([ids[0], ids[2]]);
    expect(await find(bob, ['search', 'umbrella'])).toEqual([ids[0]]);
    expect(await find(carol, ['channels', 'public'], ['search', 'umbrella'])).toEqual([ids[0]]);
    // A typing error is not corrected by the words of others.
    await say(alice, 'secret', 'plans', 'a zeppelin');
    expect(await search(bob, [['search', 'zeppelyn']])).not.toHaveProperty('search_corrections');
  } finally {
    engine.distort = null;
  }
});

test('a typing error is corrected with an engine as without it', async () => {
  const { alice, bob } = await newsroom();
  const id = await say(bob, 'news', 'chat', 'an umbrella');
  await feed(alice);
  const reply = await asking(() => search(alice, [['search', 'unbrella']]));
  expect(reply).toMatchObject({ messages: [{ id }], search_corrections: { unbrella: ['umbrella'] } });
});
