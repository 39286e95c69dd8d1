import { type Sql, connectSql } from '@parley/db';
import type { Job } from '@parley/protocol';
import { expect, test } from 'vitest';

import { getWorld, realm, runOnDemand, runRecurring, say, subscribe } from '../support/index.ts';

/** Connects to the server that holds an organization, with the rights of the owner of its tables. */
async function connectToHolder(realmId: number): Promise<AsyncDisposable & { sql: Sql }> {
  const { databaseUrl, engine } = await getWorld();
  const { host, port } = (await engine.servers.sqlOf(realmId)).options;
  const url = new URL(databaseUrl);
  url.host = `${host[0]}:${port[0]}`;
  const sql = connectSql({ url: url.href, name: 'holder', max: 1 });
  return { sql, [Symbol.asyncDispose]: () => sql.end({ timeout: 5 }) };
}

/** The realms for which the sweep enqueues a job. */
async function sweep(): Promise<number[]> {
  const jobs: Job[] = [];
  await runRecurring('sweep-search-terms', { queues: { enqueue: (job) => jobs.push(job) } });
  return jobs.map(({ name, id }) => {
    expect(name).toBe('collect-search-terms');
    return id;
  });
}

test('the words of a realm are collected once many of its messages have come, each once', async () => {
  const { alice, bob } = await realm();
  const { sql } = await getWorld();
  await subscribe(alice, 'news', [alice, bob]);
  const id = alice.realm.id;
  const words = async () =>
    (
      await sql<{ word: string }[]>`
      select distinct word from search_terms where realm_id = ${id} and word like 'quo%' order by 1`
    ).map(({ word }) => word);
  await runOnDemand('collect-search-terms', id);
  await say(bob, 'news', 'topic', 'quokkas');
  expect(await sweep()).not.toContain(id);
  expect(await words()).toEqual([]);

  await sql`update realm_heads set message_id = message_id + 300 where realm_id = ${id}`;
  await say(bob, 'news', 'topic', 'quoting');
  expect(await sweep()).toContain(id);
  await runOnDemand('collect-search-terms', id);
  expect(await words()).toEqual(['quokkas', 'quoting']);
  expect(await sweep()).not.toContain(id);
  await runOnDemand('collect-search-terms', id);
  expect(await words()).toEqual(['quokkas', 'quoting']);
});

test('the words of long messages are collected in several steps', async () => {
  const { alice, bob } = await realm();
  await subscribe(alice, 'news', [alice, bob]);
  const collect = () => runOnDemand('collect-search-terms', alice.realm.id);
  await collect();
  // Each has 30 000 bytes.
  for (let sent = 0; sent < 10; sent += 1) {
    await say(bob, 'news', 'topic', `walrus${'abcdefghij'[sent]} ${'東京'.repeat(4990)}`);
  }
  expect(await collect()).toEqual({ steps: 2 });
  expect(await collect()).toEqual({ steps: 1 });
  const { sql } = await getWorld();
  const [known] = await sql`
    select count(distinct word)::int as words from search_terms where realm_id = ${alice.realm.id} and word like 'walrus%'`;
  expect(known).toEqual({ words: 10 });
});

test('what was sent is merged into the indexes of searches', async () => {
  const { alice, bob } = await realm();
  await using server = await connectToHolder(alice.realm.id);
  await subscribe(alice, 'news', [alice, bob]);
  await say(bob, 'news', 'topic', 'pangolins');
  /** Merges what waits, and says how many pages it took. */
  const waiting = async () => {
    const [row] = await server.sql<{ pages: number }[]>`
      select sum(gin_clean_pending_list(indexrelid))::int as pages from pg_index
      where indexrelid::regclass::text ~ '^messages_search_keys'`;
    return row?.pages;
  };
  expect(await waiting()).toBeGreaterThan(0);
  await say(bob, 'news', 'topic', 'axolotls');
  await runRecurring('merge-search-indexes');
  expect(await waiting()).toBe(0);
});
