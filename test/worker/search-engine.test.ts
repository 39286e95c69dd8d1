import { randomUUID } from 'node:crypto';

import * as actions from '@parley/actions';
import type { Job } from '@parley/protocol';
import type { SearchEngine } from '@parley/search';
import { measureSearchEngine } from '@parley/worker';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  type Person,
  type SearchServer,
  feedSearch,
  getWorld,
  realm,
  runOnDemand,
  runRecurring,
  say,
  scrape,
  startSearchEngine,
  subscribe,
  succeed,
} from '../support/index.ts';

let server: SearchServer;
let search: SearchEngine;

beforeAll(async () => {
  server = await startSearchEngine();
});
beforeEach(() => {
  server.fault = null;
  search = server.client();
});
afterAll(() => server[Symbol.asyncDispose]());

async function newsroom() {
  const people = await realm();
  await subscribe(people.alice, 'news', [people.alice, people.bob]);
  return people;
}

/** The messages that the engine has of a realm, by a word, as it is asked by searches. */
async function known({ realm: home }: Person, word: string): Promise<readonly number[] | null> {
  const cursor = await cursorOf(home);
  if (!cursor) return null;
  return await search.find({
    index: cursor.index_name,
    generation: cursor.generation,
    realmId: home.id,
    query: word,
    low: 0,
    high: 2 ** 40,
    direction: 'desc',
    max: 100,
  });
}

async function cursorOf({ id }: { id: number }) {
  const { sql } = await getWorld();
  const [row] = await sql<
    { index_name: string; generation: string; filled_from: number; attempts: number; retry_at: Date | null }[]
  >`select * from search_engine_cursors where realm_id = ${id}`;
  return row;
}

/** The realms for which a job is enqueued. */
async function follow(differing: object = {}): Promise<number[]> {
  const jobs: Job[] = [];
  await runRecurring('follow-for-search', {
    search,
    queues: { enqueue: (job) => jobs.push(job) },
    ...differing,
  });
  return jobs.map(({ name, id }) => {
    expect(name).toBe('feed-search-engine');
    return id;
  });
}

const feed = ({ realm: home }: Person) => runOnDemand('feed-search-engine', home.id, { search });

describe('a search engine', () => {
  test('is fed with what a realm has, and then with what happens there', async () => {
    const { alice, bob, owner } = await newsroom();
    const first = await say(bob, 'news', 'animals', 'quokkas');
    expect(await follow()).toContain(alice.realm.id);
    await feedSearch(alice.realm, search);
    expect(await known(alice, 'quokkas')).toEqual([first]);
    expect(await follow()).not.toContain(alice.realm.id);
    const second = await say(bob, 'news', 'animals', 'quokkas and wombats');
    await succeed(bob.patch(`/messages/${first}`, { content: 'wombats' }));
    expect(await follow()).toContain(alice.realm.id);
    await feed(alice);
    expect(await known(alice, 'quokkas')).toEqual([second]);
    expect(await known(alice, 'wombats')).toEqual([second, first]);
    await succeed(owner.delete(`/messages/${second}`));
    await feed(alice);
    expect(await known(alice, 'wombats')).toEqual([first]);
  });

  test('has nothing of a message that is older than what it has', async () => {
    const { alice, bob } = await newsroom();
    const id = await say(bob, 'news', 'animals', 'numbats');
    await feedSearch(alice.realm, search);
    const cursor = await cursorOf(alice.realm);
    const shelf = {
      index: cursor?.index_name ?? '',
      generation: cursor?.generation ?? '',
      realmId: alice.realm.id,
    };
    await search.write(shelf, [{ id, version: 1, keys: ['bilbies'] }]);
    expect(await known(alice, 'bilbies')).toEqual([]);
    expect(await known(alice, 'numbats')).toEqual([id]);
  });

  test('is tried again later when it fails, and again later than that', async () => {
    const { alice, bob } = await newsroom();
    await feedSearch(alice.realm, search);
    const id = await say(bob, 'news', 'animals', 'potoroos');
    server.fault = { path: '_bulk', meet: (_, response) => response.writeHead(503).end('{}') };
    const nowMs = Date.now();
    const clock = { nowMs: () => nowMs };
    for (let failures = 1; failures <= 3; failures += 1) {
      const done = await runOnDemand('feed-search-engine', alice.realm.id, { search, clock });
      expect(done).toMatchObject({ documents: 0, failed: 1 });
      expect(await cursorOf(alice.realm)).toMatchObject({ attempts: failures });
    }
    const { retry_at } = (await cursorOf(alice.realm)) ?? {};
    expect(await follow({ clock: { nowMs: () => Number(retry_at) - 1 } })).not.toContain(alice.realm.id);
    server.fault = null;
    expect(await follow({ clock: { nowMs: () => Number(retry_at) } })).toContain(alice.realm.id);
    await feed(alice);
    expect(await known(alice, 'potoroos')).toEqual([id]);
    expect(await cursorOf(alice.realm)).toMatchObject({ attempts: 0, retry_at: null });
  });

  test('is told of long messages in requests of a megabyte', async () => {
    const { alice, bob } = await newsroom();
    const words = Array.from({ length: 1300 }, (_, at) => `w${at}x`).join(' ');
    const ids: number[] = [];
    for (let sent = 0; sent < 130; sent += 1)
      ids.push(await say(bob, 'news', 'animals', `${words} l${sent}`));
    const before = server.paths.filter((path) => path.includes('_bulk')).length;
    await feedSearch(alice.realm, search);
    expect(server.paths.filter((path) => path.includes('_bulk')).length - before).toBeGreaterThan(1);
    expect(await known(alice, 'l129')).toEqual([ids.at(-1)]);
    expect(await known(alice, 'w7x')).toHaveLength(100);
  });
});

describe('a realm is begun anew', () => {
  test('once its index is gone, and then has everything again', async () => {
    const { alice, bob } = await newsroom();
    const id = await say(bob, 'news', 'animals', 'dunnarts');
    await feedSearch(alice.realm, search);
    const before = await cursorOf(alice.realm);
    await using other = await startSearchEngine();
    const emptied = other.client();
    await say(bob, 'news', 'animals', 'dunnarts again');
    const done = await runOnDemand('feed-search-engine', alice.realm.id, { search: emptied });
    expect(done).toMatchObject({ documents: 0, failed: 1 });
    expect(await cursorOf(alice.realm)).toBeUndefined();
    await feedSearch(alice.realm, search);
    expect(await cursorOf(alice.realm)).not.toMatchObject({ generation: before?.generation });
    expect(await known(alice, 'dunnarts')).toEqual([id + 1, id]);
    // A sweep notices it where nobody writes.
    await runRecurring('sweep-search-engine', { search: emptied });
    expect(await cursorOf(alice.realm)).toBeUndefined();
  });

  test('where the log has no longer what the engine lacks, or another epoch has begun', async () => {
    const { alice, bob } = await newsroom();
    const { sql } = await getWorld();
    await feedSearch(alice.realm, search);
    const before = await cursorOf(alice.realm);
    const first = await say(bob, 'news', 'animals', 'bettongs');
    await say(bob, 'news', 'animals', 'bettongs');
    await sql`delete from event_log where realm_id = ${alice.realm.id} and seq < (
      select seq from realm_heads where realm_id = ${alice.realm.id})`;
    await feedSearch(alice.realm, search);
    const after = await cursorOf(alice.realm);
    expect(after?.generation).not.toBe(before?.generation);
    expect(await known(alice, 'bettongs')).toEqual([first + 1, first]);
    await sql`update realm_heads set epoch = ${randomUUID()} where realm_id = ${alice.realm.id}`;
    expect(await follow()).toContain(alice.realm.id);
    await feedSearch(alice.realm, search);
    expect((await cursorOf(alice.realm))?.generation).not.toBe(after?.generation);
    expect(await known(alice, 'bettongs')).toEqual([first + 1, first]);
  });

  test('when somebody wants it, and what it was before is swept away', async () => {
    const [one, other] = [await newsroom(), await newsroom()];
    const { engine } = await getWorld();
    await say(one.bob, 'news', 'animals', 'kowaris');
    const kept = await say(other.bob, 'news', 'animals', 'kowaris');
    for (const { alice } of [one, other]) await feedSearch(alice.realm, search);
    const { index_name: index = '', generation = '' } = (await cursorOf(one.alice.realm)) ?? {};
    expect(await search.listGenerations(index, null)).toContain(generation);
    expect(await actions.searchEngine.forget(engine.db, one.alice.realm.id)).toBe(1);
    await runRecurring('sweep-search-engine', { search });
    expect(await search.listGenerations(index, null)).not.toContain(generation);
    expect(await known(other.alice, 'kowaris')).toEqual([kept]);
  });
});

test('how far a search engine is behind is measured', async () => {
  const { alice, bob } = await newsroom();
  const { engine, sql } = await getWorld();
  await sql`delete from search_engine_cursors`;
  using _ = measureSearchEngine(engine.db);
  await feedSearch(alice.realm, search);
  const before = await scrape();
  expect(before.of('parley_search_engine_lag_entries')).toBe(0);
  await say(bob, 'news', 'animals', 'quolls');
  await say(bob, 'news', 'animals', 'quolls');
  expect((await scrape()).of('parley_search_engine_lag_entries')).toBeGreaterThanOrEqual(2);
  await actions.searchEngine.forget(engine.db, alice.realm.id);
  expect((await scrape()).of('parley_search_engine_unfilled')).toBe(
    before.of('parley_search_engine_unfilled') + 1,
  );
});

test('a deleted message that nobody had is found again once it is restored', async () => {
  const { alice, bob, owner, realm: home } = await newsroom();
  const { engine } = await getWorld();
  const id = await say(bob, 'news', 'animals', 'mulgaras');
  await feedSearch(home, search);
  await succeed(owner.delete(`/messages/${id}`));
  await feedSearch(home, search);
  expect(await known(alice, 'mulgaras')).toEqual([]);
  const { sql } = await getWorld();
  await sql`update conversation_members set received = '{}' where realm_id = ${home.id}`;
  const since = new Date(Date.now() - 3_600_000);
  await engine.perform(home.id, actions.messages.restore, {
    realm: home,
    since,
    after: 0,
    max: 10,
    now: new Date(),
  });
  await feedSearch(home, search);
  expect(await known(alice, 'mulgaras')).toEqual([id]);
});
