import { connectSql } from '@parley/db';
import { createCopies, makeTiedFolder, startPostgres } from '@parley/infra';
import { measureDatabase } from '@parley/worker';
import { expect, test, vi } from 'vitest';

import { getWorld, realm, scrape, tell } from '../support/index.ts';

const patient = { timeout: 60_000, interval: 20 };

test('whoever waits for the head of a log is counted, and apart from it who waits for anything else', async () => {
  const { alice, bob } = await realm();
  const { sql } = await getWorld();
  using _ = measureDatabase(sql);
  let sent: Promise<unknown> = Promise.resolve();
  await sql.begin(async (tx) => {
    await tx`select from realm_heads where realm_id = ${alice.realm.id} for update`;
    sent = tell(bob, [alice]);
    await vi.waitFor(async () => {
      const measured = await scrape();
      expect(measured.of('parley_database_lock_waiters', { lock: 'log' })).toBe(1);
      expect(measured.of('parley_database_lock_wait_seconds', { lock: 'log' })).toBeGreaterThan(0.05);
      expect(measured.of('parley_database_lock_waiters', { lock: 'other' })).toBe(0);
    }, patient);
  });
  await sent;
  expect((await scrape()).of('parley_database_lock_waiters', { lock: 'log' })).toBe(0);

  let renamed: Promise<unknown> = Promise.resolve();
  await sql.begin(async (tx) => {
    await tx`select from users where id = ${bob.id} for update`;
    renamed = sql`update users set full_name = 'Bobby' where id = ${bob.id}`.execute();
    await vi.waitFor(
      async () => expect((await scrape()).of('parley_database_lock_waiters', { lock: 'other' })).toBe(1),
      patient,
    );
  });
  await renamed;
});

test('each thing that Postgres is asked, it is asked once for a scrape', async () => {
  const { sql } = await getWorld();
  const asked: string[] = [];
  const counting = ((parts: TemplateStringsArray, ...values: never[]) => {
    asked.push(parts.join('$'));
    return sql(parts, ...values);
  }) as unknown as typeof sql;
  using _ = measureDatabase(counting);
  await scrape();
  expect(asked.length).toBeGreaterThan(4);
  expect(new Set(asked).size).toBe(asked.length);
});

test('connections are measured against the most that the server takes', async () => {
  const { sql } = await getWorld();
  using _ = measureDatabase(sql);
  const measured = await scrape();
  const [used, max] = ['used', 'max'].map((state) => measured.of('parley_database_connections', { state }));
  expect(used).toBeGreaterThan(2);
  expect(max).toBeGreaterThan(used ?? 0);
});

test('numbers that end are seen to end, of each sequence, of messages and of events', async () => {
  const { alice, bob } = await realm();
  await tell(bob, [alice]);
  const { sql } = await getWorld();
  using _ = measureDatabase(sql);
  const left = async (ids: string) => (await scrape()).of('parley_ids_left_ratio', { ids });
  expect(await left('events')).toBeGreaterThan(0.999);
  // Ids of messages begin high here.
  expect(await left('messages')).toBeGreaterThan(0.999);
  expect(await left('messages')).toBeLessThan(1);
  expect(await left('linkifiers_id_seq')).toBeGreaterThan(0.9);
  await sql`select setval('linkifiers_id_seq', 2000000000)`;
  expect(await left('linkifiers_id_seq')).toBeCloseTo(0.0687, 3);
  await sql`update realm_heads set message_id = 4503599627370496 where realm_id = ${alice.realm.id}`;
  expect(await left('messages')).toBeCloseTo(0.5, 6);
});

test('the largest organization is known about, once the planner has looked', async () => {
  const { alice } = await realm();
  const { sql } = await getWorld();
  using _ = measureDatabase(sql);
  await sql`
    insert into users (realm_id, email, full_name, role)
    select ${alice.realm.id}, 'crowd' || n || '@crowd.example', 'Crowd ' || n, 400 from generate_series(1, 500) n`;
  await sql`analyze users`;
  const people = (await scrape()).of('parley_largest_realm_rows', { of: 'users' });
  expect(people).toBeGreaterThan(490);
  expect(people).toBeLessThan(530);
});

test('a replica is measured by what it has not replayed', async () => {
  const dir = await makeTiedFolder('parley-replica-');
  const options = { durable: false, say: () => {} };
  await using postgres = await startPostgres({ dir, ...options });
  await using copies = createCopies(postgres, options);
  const primary = connectSql({ url: postgres.url, name: 'primary', max: 1 });
  using _ = measureDatabase(primary);
  const server = await copies.server?.replicate({ isSynchronous: false });
  const replica = connectSql({ url: server?.url ?? '', name: 'replica', max: 1 });
  const lag = async () => (await scrape()).of('parley_database_replica_lag_bytes', { state: 'async' });

  await replica`select pg_wal_replay_pause()`;
  await primary`create table written as select generate_series(1, 1000)`;
  await vi.waitFor(async () => expect(await lag()).toBeGreaterThan(1000), patient);
  expect((await scrape()).valuesOf('parley_database_replica_lag_seconds', 'state')).toEqual(['async']);
  await replica`select pg_wal_replay_resume()`;
  await vi.waitFor(async () => expect(await lag()).toBe(0), patient);
  await Promise.all([primary, replica].map((sql) => sql.end({ timeout: 5 })));
});
