import { type AddressInfo, type Socket, connect, createServer } from 'node:net';

import { type Database, type Tx, connectDatabase, connectSql, isDatabaseUnavailable } from '@parley/db';
import { sql as drizzleSql } from 'drizzle-orm';
import { describe, expect, test, vi } from 'vitest';

import { getWorld } from '../support/world.ts';

/** Fails at its fifth row, when four have come. */
const failing = 'select 1 / (5 - n) as quotient, repeat($1, 9000) as long from generate_series(1, 9) as n';
const letters = ['a', 'b', 'c'];
const asking = 'select unnest(array[$1, $2, $3]) as letter';

/** One connection, so that the next statement is asked on the one that failed. */
async function withOneConnection<Result>(
  ask: (sql: ReturnType<typeof connectSql>) => Promise<Result>,
): Promise<Result> {
  const { databaseUrl } = await getWorld();
  const sql = connectSql({ url: databaseUrl, name: 'test-rows', max: 1 });
  try {
    return await ask(sql);
  } finally {
    await sql.end();
  }
}

type Sql = ReturnType<typeof connectSql>;
const ways: [string, (sql: Sql) => Promise<readonly unknown[]>][] = [
  ['a tagged statement', async (sql) => await sql`select unnest(${letters}::text[]) as letter`],
  ['a text', async (sql) => await sql.unsafe(asking, letters)],
  [
    'a transaction',
    async (sql) => await sql.begin(async (tx) => await tx`select unnest(${letters}::text[]) as letter`),
  ],
];

test.each(ways)('%s after a statement that failed among its rows has its own rows alone', async (_, ask) => {
  const rows = await withOneConnection(async (sql) => {
    // Both are on their way before the first one fails.
    const failed = expect(sql.unsafe(failing, ['x'])).rejects.toThrow('division by zero');
    const asked = ask(sql);
    await failed;
    return [await asked, await ask(sql)];
  });
  const expected = letters.map((letter) => ({ letter }));
  expect(rows.map((result) => Array.from(result))).toEqual([expected, expected]);
});

test('a statement of Drizzle after one that failed has its own rows alone, in a transaction too', async () => {
  const { databaseUrl } = await getWorld();
  await using db = connectDatabase({ url: databaseUrl, name: 'test-rows', max: 1 });
  const failingQuery = drizzleSql`select 1 / (5 - n), repeat('x', 9000) from generate_series(1, 9) as n`;
  const query = drizzleSql`select unnest(array['a', 'b', 'c']) as letter`;
  const expected = letters.map((letter) => ({ letter }));

  await expect(db.execute(failingQuery)).rejects.toThrow('Failed query');
  expect(Array.from(await db.execute(query))).toEqual(expected);
  await expect(db.transaction((tx) => tx.execute(failingQuery))).rejects.toThrow('Failed query');
  expect(Array.from(await db.execute(query))).toEqual(expected);
});

describe('a statement of Drizzle that repeats', () => {
  /** What its connection has prepared, after `ask` was asked twenty times. */
  async function preparedBy(ask: (db: Database, time: number) => Promise<unknown>) {
    const { databaseUrl } = await getWorld();
    await using db = connectDatabase({ url: databaseUrl, name: 'test-repeats', max: 1 });
    for (let time = 0; time < 20; time += 1) await ask(db, time);
    const rows = await db.execute(drizzleSql`
      select statement, generic_plans::int, custom_plans::int from pg_prepared_statements
      where statement like '%as asked%'`);
    return Array.from(rows);
  }
  const once = { statement: 'select $1::int as asked', generic_plans: 0, custom_plans: 16 };
  const ask = async (db: Tx, time: number) => {
    expect(Array.from(await db.execute(drizzleSql`select ${time}::int as asked`))).toEqual([{ asked: time }]);
  };

  test('is parsed once, and planned for its values each time', async () => {
    expect(await preparedBy(ask)).toEqual([once]);
  });

  test('is so in transactions and snapshots too', async () => {
    expect(await preparedBy((db, time) => db.transaction((tx) => ask(tx, time)))).toEqual([once]);
    expect(await preparedBy((db, time) => db.snapshot((tx) => ask(tx, time)))).toEqual([once]);
  });

  test('is not, if it has another list each time', async () => {
    const list = (time: number) =>
      drizzleSql.join(
        Array.from({ length: time + 1 }, () => drizzleSql`${1}`),
        drizzleSql`, `,
      );
    expect(
      await preparedBy((db, time) => db.execute(drizzleSql`select 1 in (${list(time)}) as asked`)),
    ).toEqual([]);
  });
});

test('a snapshot is of one moment, and is for reading', async () => {
  const { databaseUrl } = await getWorld();
  await using db = connectDatabase({ url: databaseUrl, name: 'test-snapshot', max: 2 });
  await db.execute(drizzleSql`create table snapshot_probe (number int)`);
  const count = async (tx: Tx) =>
    Array.from(await tx.execute(drizzleSql`select 1 from snapshot_probe`)).length;
  const insert = (tx: Tx) => tx.execute(drizzleSql`insert into snapshot_probe values (1)`);
  await db.snapshot(async (tx) => {
    expect(await count(tx)).toBe(0);
    await insert(db);
    expect(await count(tx)).toBe(0);
  });
  expect(await count(db)).toBe(1);
  await expect(db.snapshot(insert)).rejects.toMatchObject({ cause: { code: '25006' } });
  await db.execute(drizzleSql`drop table snapshot_probe`);
});

/** Ends the connection of a transaction, as a Postgres that dies does. */
async function cutOff(pid: number): Promise<void> {
  const { databaseUrl } = await getWorld();
  const sql = connectSql({ url: databaseUrl, name: 'test-cut', max: 1 });
  await sql`select pg_terminate_backend(${pid})`;
  await sql.end();
}

const pidOf = async (tx: { unsafe: Sql['unsafe'] }): Promise<number> =>
  (await tx.unsafe<{ pid: number }[]>('select pg_backend_pid() as pid'))[0]?.pid ?? 0;

test('a transaction whose connection is lost in the midst of a statement fails, and others go on', async () => {
  await withOneConnection(async (sql) => {
    const failed = sql.begin(async (tx) => {
      const pid = await pidOf(tx);
      await Promise.all([tx`select pg_sleep(30)`, cutOff(pid)]);
    });
    await expect(failed).rejects.toThrow(/terminating connection|CONNECTION_CLOSED/);
    const next = () => sql.begin(async (tx) => await tx`select 1 as one`);
    // Until Postgres has closed the connection, it is taken for open.
    const isServed = async () =>
      await next().then(
        () => true,
        () => false,
      );
    await vi.waitUntil(isServed, { timeout: 60_000 });
  });
});

test('nothing of a transaction whose connection was lost takes part in another', async () => {
  await withOneConnection(async (sql) => {
    await sql`create table if not exists test_stray (who text)`;
    let goOn = () => {};
    const waits = new Promise<void>((resolve) => (goOn = resolve));
    let stray: Promise<unknown> = Promise.resolve();
    const lost = sql.begin(async (tx) => {
      await cutOff(await pidOf(tx));
      await waits;
      stray = (async () => await tx`insert into test_stray values ('lost')`)();
      await stray;
    });
    await expect(lost).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    await sql.begin(async (tx) => {
      await tx`insert into test_stray values ('other')`;
      goOn();
      await vi.waitUntil(
        () =>
          stray.then(
            () => 'done',
            () => 'refused',
          ),
        { timeout: 60_000 },
      );
      await tx`insert into test_stray values ('other, too')`;
    });
    await expect(stray).rejects.toMatchObject({ code: 'CONNECTION_CLOSED' });
    const rows = await sql`select who from test_stray order by who`;
    await sql`drop table test_stray`;
    expect(Array.from(rows)).toEqual([{ who: 'other' }, { who: 'other, too' }]);
  });
});

/** Passes so many bytes of Postgres's first connection on, and resets it. */
async function startResettingProxy(databaseUrl: string, bytesMax = Infinity) {
  const { hostname, port } = new URL(databaseUrl);
  const clients: Socket[] = [];
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port) });
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
    client.pipe(upstream);
    let left = clients.push(client) === 1 ? bytesMax : Infinity;
    upstream.on('data', (chunk: Buffer) => {
      client.write(chunk.subarray(0, left), () => left <= 0 && client.resetAndDestroy());
      left -= chunk.length;
    });
  });
  await new Promise<void>((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: url.href,
    reset: () => clients.at(-1)?.resetAndDestroy(),
    async [Symbol.asyncDispose]() {
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

// In the greeting, among the types that the client asks for first, in the answer.
test.each([1, 9, 100, 350, 420, 460, 700, 2000, 4000])(
  'a connection that is reset after %i bytes fails its statement alone',
  async (bytes) => {
    const { databaseUrl } = await getWorld();
    await using proxy = await startResettingProxy(databaseUrl, bytes);
    const sql = connectSql({ url: proxy.url, name: 'test-reset', max: 1 });
    const ask = async () => await sql`select repeat('x', ${1000}) as long`;
    // It may have been answered before.
    expect(await ask().then(() => true, isDatabaseUnavailable)).toBe(true);
    expect(await ask()).toHaveLength(1);
    await sql.end();
  },
);

test('what is asked while a connection is being lost fails, and what is asked later has its own answer', async () => {
  const { databaseUrl } = await getWorld();
  await using proxy = await startResettingProxy(databaseUrl);
  const sql = connectSql({ url: proxy.url, name: 'test-loss', max: 1 });
  const ask = async (number: number) =>
    (await sql`select ${number}::int as number`)[0]?.['number'] as unknown;
  const isRefused = async (number: number) => await ask(number).then(() => false, isDatabaseUnavailable);
  for (let turn = 0; turn < 5; turn += 1) {
    await vi.waitUntil(async () => (await ask(0).catch(() => null)) === 0, { timeout: 60_000 });
    await new Promise((resolve) => setImmediate(resolve));
    proxy.reset();
    // Written after the reset is here, and before this process has read of it; and then, after its error is known.
    expect(await isRefused(1)).toBe(true);
    await Promise.all([isRefused(2), isRefused(3)]);
  }
  await vi.waitUntil(async () => (await ask(0).catch(() => null)) === 0, { timeout: 60_000 });
  const numbers = Array.from({ length: 20 }, (_, number) => number);
  expect(await Promise.all(numbers.map(ask))).toEqual(numbers);
  await sql.end();
});
