import { rm } from 'node:fs/promises';

import * as actions from '@parley/actions';
import { connectSql, migrate } from '@parley/db';
import { type Engine, createEngine } from '@parley/engine';
import { createCopies, makeTiedFolder, startPostgres } from '@parley/infra';
import { createLogger, systemClock } from '@parley/kit';
import { ApiError, roles } from '@parley/protocol';
import { sql } from 'drizzle-orm';
import { afterAll, expect, test, vi } from 'vitest';

import { scrape, startPostgresProxy } from '../support/index.ts';

const patient = { timeout: 120_000, interval: 20 };
const logger = createLogger({ role: 'test', level: 'silent' });
type Realm = Awaited<ReturnType<typeof createRealm>>;

async function createRealm(engine: Engine, name: string) {
  const realm = await engine.db.transaction((tx) =>
    actions.realms.create(tx, { name, displayName: name, emailDomain: `${name}.invalid` }),
  );
  return {
    ...realm,
    host: `${name}.localhost`,
    emailDomain: `${name}.invalid`,
    url: `http://${name}.localhost`,
  };
}

/** A primary, a replica that is reached through a proxy, and an engine that reads from both. */
async function build() {
  const dir = await makeTiedFolder('parley-exact-');
  const options = { durable: false, say: () => undefined };
  const postgres = await startPostgres({ dir, ...options });
  await migrate(postgres.url);
  const copies = createCopies(postgres, options);
  const server = await copies.server?.replicate({ isSynchronous: false });
  if (!server) throw new Error('Postgres was not started here.');
  const proxy = await startPostgresProxy(server.url);
  const start = (replicaUrls: readonly string[]) =>
    createEngine({
      databaseUrl: postgres.url,
      replicaUrls,
      name: 'exact',
      connectionsMax: 2,
      redis: null,
      secrets: ['unused: nothing is published'],
      clock: systemClock,
      logger,
      partitions: 1,
    });
  const engine = start([proxy.url]);
  const replica = connectSql({ url: server.url, name: 'replica', max: 1 });
  const realm = await createRealm(engine, 'one');
  const stage = {
    ports: { primary: postgres.port, replica: server.port },
    server,
    replica,
    proxy,
    engine,
    start,
    realm,
    neighbour: await createRealm(engine, 'other'),
    async end() {
      await engine[Symbol.asyncDispose]();
      await replica.end({ timeout: 5 });
      await proxy[Symbol.asyncDispose]();
      await copies[Symbol.asyncDispose]();
      await postgres.stop();
      await rm(dir, { recursive: true, force: true });
    },
  };
  await joins(stage.engine, realm);
  await joins(stage.engine, stage.neighbour);
  return stage;
}

let begun: ReturnType<typeof build> | undefined;
const stage = () => (begun ??= build());
afterAll(async () => (await begun)?.end());

let people = 0;

/** Somebody joins, which the realm's log tells of. */
async function joins(engine: Engine, realm: Realm): Promise<void> {
  people += 1;
  const email = `person${people}@example.com`;
  const input = { realm, email, fullName: `Person ${people}`, role: roles.member };
  await engine.perform(realm.id, actions.users.create, input);
}

/** Who answers, and how many people there are. */
async function look(engine: Engine, { id }: Realm) {
  return await engine.snapshotOf(id, async (tx) => {
    const [row] = await tx.execute<{ port: number; people: number }>(sql`
      select inet_server_port() as port, count(*)::int as people from users where realm_id = ${id}`);
    return row;
  });
}

/** Resolves when the replica is asked, and has what it needs. */
async function caughtUp(realm?: Realm): Promise<void> {
  const { engine, ports, realm: usual } = await stage();
  await vi.waitFor(
    async () => expect((await look(engine, realm ?? usual))?.port).toBe(ports.replica),
    patient,
  );
}

const countReads = async (outcome: string) => (await scrape()).of('parley_replica_reads_total', { outcome });

test('a replica that has everything answers, and the primary does not', async () => {
  const { engine, realm } = await stage();
  await caughtUp();
  const [served, all] = [await countReads('served'), (await look(engine, realm))?.people];
  expect(await countReads('served')).toBe(served + 1);
  await joins(engine, realm);
  await caughtUp();
  expect((await look(engine, realm))?.people).toBe((all ?? 0) + 1);
  expect((await scrape()).of('parley_replicas_available')).toBe(1);
});

test('what a replica lacks is read from the primary at once, and of other organizations it goes on to answer', async () => {
  const { engine, ports, replica, realm, neighbour } = await stage();
  await caughtUp();
  const before = (await look(engine, realm))?.people ?? 0;
  await replica`select pg_wal_replay_pause()`;
  await joins(engine, realm);
  const behind = await countReads('behind');
  expect(await look(engine, realm)).toEqual({ port: ports.primary, people: before + 1 });
  expect(await countReads('behind')).toBe(behind + 1);
  expect((await look(engine, neighbour))?.port).toBe(ports.replica);
  await replica`select pg_wal_replay_resume()`;
  await caughtUp();
  expect((await look(engine, realm))?.people).toBe(before + 1);
});

test('an organization that a replica has not heard of yet is read from the primary', async () => {
  const { engine, ports, replica } = await stage();
  await caughtUp();
  await replica`select pg_wal_replay_pause()`;
  const young = await createRealm(engine, 'young');
  expect((await look(engine, young))?.port).toBe(ports.primary);
  await replica`select pg_wal_replay_resume()`;
  await caughtUp(young);
});

test('an entry that came while the primary was asked does not keep a replica from answering', async () => {
  const { engine, ports, proxy, realm } = await stage();
  await caughtUp();
  const before = (await look(engine, realm))?.people ?? 0;
  // The primary is asked at once; the replica's snapshot begins when it hears of it.
  proxy.hang();
  const reading = look(engine, realm);
  await joins(engine, realm);
  const { lastLog } = await lastOf(realm);
  await vi.waitFor(async () => expect(await replicaSeq(realm)).toBe(lastLog), patient);
  proxy.resume();
  expect(await reading).toEqual({ port: ports.replica, people: before + 1 });
});

async function lastOf({ id }: Realm) {
  const { engine } = await stage();
  const [row] = await engine.sql<{ seq: number }[]>`select seq from realm_heads where realm_id = ${id}`;
  return { lastLog: row?.seq };
}

async function replicaSeq({ id }: Realm) {
  const { replica } = await stage();
  const [row] = await replica<{ seq: number }[]>`select seq from realm_heads where realm_id = ${id}`;
  return row?.seq;
}

test('an error of what reads is its answer, and nobody reads again', async () => {
  const { engine, realm } = await stage();
  await caughtUp();
  const refuse = vi.fn(() => Promise.reject(new ApiError('BAD_REQUEST', 'No.')));
  await expect(engine.snapshotOf(realm.id, refuse)).rejects.toThrow('No.');
  expect(refuse).toHaveBeenCalledTimes(1);
});

test('a statement that fails on a replica is answered by the primary', async () => {
  const { engine, ports, realm } = await stage();
  await caughtUp();
  const failed = await countReads('failed');
  const answer = await engine.snapshotOf(realm.id, async (tx) => {
    const [row] = await tx.execute<{ port: number; zero: number }>(sql`
      select inet_server_port() as port, 1 / (case when pg_is_in_recovery() then 0 else 1 end) as zero`);
    return row?.port;
  });
  expect(answer).toBe(ports.primary);
  expect(await countReads('failed')).toBe(failed + 1);
});

test('a replica that hangs is left out until it answers again', async () => {
  const { engine, ports, proxy, realm } = await stage();
  await caughtUp();
  proxy.hang();
  expect((await look(engine, realm))?.port).toBe(ports.primary);
  const unavailable = await countReads('unavailable');
  expect((await look(engine, realm))?.port).toBe(ports.primary);
  expect(await countReads('unavailable')).toBe(unavailable + 1);
  proxy.resume();
  await caughtUp();
});

test('those of several replicas are asked that have the least to do', async () => {
  const { start, proxy, replica, realm, ports } = await stage();
  await using engine = start([proxy.url, proxy.url]);
  await vi.waitFor(async () => expect((await scrape()).of('parley_replicas_available')).toBe(3), patient);
  const open: (() => void)[] = [];
  // Each replica has two connections: four reads are under way at once only if each has two of them.
  const reads = [1, 2, 3, 4].map(() =>
    engine.snapshotOf(realm.id, async (tx) => {
      const [row] = await tx.execute<{ port: number }>(sql`select inet_server_port() as port`);
      await new Promise<void>((resolve) => open.push(resolve));
      return row?.port;
    }),
  );
  await vi.waitFor(() => expect(open).toHaveLength(4), patient);
  for (const answer of open) answer();
  expect(await Promise.all(reads)).toEqual(Array(4).fill(ports.replica));
  expect(await replica`select 1`).toHaveLength(1);
});

test('a replica without the schema of this version is not asked before it has it', async () => {
  const { start, engine, proxy, replica, ports, realm } = await stage();
  await caughtUp();
  const rows = await engine.sql<{ hash: string; created_at: number }[]>`
    delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)
    returning hash, created_at`;
  const newest = `select max(created_at) from drizzle.__drizzle_migrations`;
  const [wanted] = await engine.sql.unsafe(newest);
  await vi.waitFor(async () => expect(await replica.unsafe(newest)).toEqual([wanted]), patient);
  await using young = start([proxy.url]);
  // It has asked for the schema, and no more since.
  await vi.waitFor(async () => {
    const asked = await replica`
      select from pg_stat_activity
      where application_name = 'parley-exact-watch' and state = 'idle' and query like '%drizzle.%'`;
    expect(asked.length).toBeGreaterThan(0);
  }, patient);
  expect((await look(young, realm))?.port).toBe(ports.primary);
  await engine.sql`insert into drizzle.__drizzle_migrations ${engine.sql(rows)}`;
  await vi.waitFor(async () => expect((await look(young, realm))?.port).toBe(ports.replica), patient);
});

test('what a server has that is no longer the history of the primary is not read there', async () => {
  const { engine, ports, realm, neighbour, server, replica } = await stage();
  await caughtUp();
  await caughtUp(neighbour);
  await server.stopFollowing();
  await server.promote();
  await vi.waitFor(async () => {
    const [row] = await replica<{ is: boolean }[]>`select pg_is_in_recovery() as is`;
    expect(row?.is).toBe(false);
  }, patient);
  await caughtUp();
  // It has one entry more than the primary, as a server that received more than the one that took over.
  await replica`update realm_heads set seq = seq + 1 where realm_id = ${realm.id}`;
  expect((await look(engine, realm))?.port).toBe(ports.primary);
  // The primary has come as far, with another entry.
  await joins(engine, realm);
  const { lastLog } = await lastOf(realm);
  await replica`update realm_heads set seq = ${lastLog ?? 0}, term = 'another' where realm_id = ${realm.id}`;
  expect((await look(engine, realm))?.port).toBe(ports.primary);
  expect((await look(engine, neighbour))?.port).toBe(ports.replica);
  await replica`update realm_heads set epoch = gen_random_uuid() where realm_id = ${neighbour.id}`;
  expect((await look(engine, neighbour))?.port).toBe(ports.primary);
});

test('a replica that dies is missed by nobody', async () => {
  const { engine, ports, server, realm } = await stage();
  await server.crash();
  for (let tries = 0; tries < 3; tries += 1) expect((await look(engine, realm))?.port).toBe(ports.primary);
});
