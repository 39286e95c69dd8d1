/**
 * What postgres 3.4.9 gets wrong when a statement fails among its rows or a connection is lost: answers go to the wrong
 * statements, statements to the wrong transactions, and some are never answered. It needs the package, and a database:
 *
 *   DATABASE_URL=postgres://user@localhost/test node --test patches/postgres.test.js
 */
import assert from 'node:assert/strict';
import { connect, createServer } from 'node:net';
import { after, test } from 'node:test';

import postgres from 'postgres';

const databaseUrl = process.env.DATABASE_URL ?? 'postgres://localhost/postgres';
/** A case that hangs fails. */
const timeout = 60_000;

/** One connection, so that the next statement is asked on the one that failed. */
const options = { max: 1, backoff: () => 0.05, onnotice: () => undefined };
const one = postgres(databaseUrl, options);
const other = postgres(databaseUrl, options);
after(() => Promise.all([one.end({ timeout: 1 }), other.end({ timeout: 1 })]));

const fails = async (promise) =>
  await promise.then(
    () => false,
    () => true,
  );

async function until(condition) {
  while (!(await condition())) await new Promise((resolve) => setTimeout(resolve, 20));
}

/** Fails at its fifth row, when four have come. */
const failing = 'select 1 / (5 - n) as quotient, repeat($1, 9000) as long from generate_series(1, 9) as n';
const letters = ['a', 'b', 'c'];
const ways = {
  'a tagged statement': async () => await one`select unnest(${letters}::text[]) as letter`,
  'a text': async () => await one.unsafe('select unnest(array[$1, $2, $3]) as letter', letters),
  'a transaction': async () =>
    await one.begin(async (tx) => await tx`select unnest(${letters}::text[]) as letter`),
};

for (const [name, ask] of Object.entries(ways)) {
  test(
    `${name} after a statement that failed among its rows has its own rows alone`,
    { timeout },
    async () => {
      // Both are on their way before the first one fails.
      const failed = assert.rejects(one.unsafe(failing, ['x']), /division by zero/);
      const asked = ask();
      await failed;
      const expected = letters.map((letter) => ({ letter }));
      assert.deepEqual([...(await asked)], expected);
      assert.deepEqual([...(await ask())], expected);
    },
  );
}

/** Ends the connection of a transaction, as a Postgres that dies does. */
const cutOff = async (pid) => await other`select pg_terminate_backend(${pid})`;
const pidOf = async (tx) => (await tx`select pg_backend_pid() as pid`)[0].pid;

test(
  'a transaction whose connection is lost in the midst of a statement fails, and others go on',
  { timeout },
  async () => {
    const lost = one.begin(async (tx) => {
      const pid = await pidOf(tx);
      await Promise.all([tx`select pg_sleep(30)`, cutOff(pid)]);
    });
    await assert.rejects(lost, /terminating connection|CONNECTION_CLOSED/);
    // Until Postgres has closed the connection, it is taken for open.
    await until(async () => !(await fails(one.begin(async (tx) => await tx`select 1 as one`))));
  },
);

test('nothing of a transaction whose connection was lost takes part in another', { timeout }, async () => {
  await other`drop table if exists test_stray`;
  await other`create table test_stray (who text)`;
  let goOn = () => undefined;
  const waits = new Promise((resolve) => (goOn = resolve));
  let stray;
  const lost = one.begin(async (tx) => {
    await cutOff(await pidOf(tx));
    await waits;
    stray = (async () => await tx`insert into test_stray values ('lost')`)();
    await stray;
  });
  await assert.rejects(lost, { code: 'CONNECTION_CLOSED' });
  await one.begin(async (tx) => {
    await tx`insert into test_stray values ('other')`;
    goOn();
    await until(() => stray !== undefined);
    await fails(stray);
    await tx`insert into test_stray values ('other, too')`;
  });
  await assert.rejects(stray, { code: 'CONNECTION_CLOSED' });
  const rows = await one`select who from test_stray order by who`;
  await one`drop table test_stray`;
  assert.deepEqual([...rows], [{ who: 'other' }, { who: 'other, too' }]);
});

/** Stands before Postgres. It passes so many bytes of the first connection on, and resets it. */
async function startResettingProxy(bytesMax = Infinity) {
  const { hostname, port } = new URL(databaseUrl);
  const clients = [];
  const server = createServer((client) => {
    const upstream = connect({ host: hostname, port: Number(port || 5432) });
    for (const socket of [client, upstream]) socket.on('error', () => undefined);
    client.on('close', () => upstream.destroy());
    client.pipe(upstream);
    let left = clients.push(client) === 1 ? bytesMax : Infinity;
    upstream.on('data', (chunk) => {
      client.write(chunk.subarray(0, left), () => left <= 0 && client.resetAndDestroy());
      left -= chunk.length;
    });
  });
  await new Promise((resolve) => server.listen({ port: 0, host: '127.0.0.1' }, resolve));
  const url = new URL(databaseUrl);
  url.host = `127.0.0.1:${server.address().port}`;
  return {
    sql: postgres(url.href, options),
    reset: () => clients.at(-1)?.resetAndDestroy(),
    close: () => new Promise((resolve) => server.close(resolve)),
  };
}

// In the greeting, among the types that the client asks for first, in the answer.
for (const bytes of [1, 9, 100, 350, 420, 460, 700, 2000, 4000]) {
  test(`a connection that is reset after ${bytes} bytes fails its statement alone`, { timeout }, async () => {
    const { sql, close } = await startResettingProxy(bytes);
    const ask = async () => await sql`select repeat('x', ${1000}) as long`;
    // It may have been answered before.
    await fails(ask());
    assert.equal((await ask()).length, 1);
    await sql.end();
    await close();
  });
}

test(
  'what is asked while a connection is being lost fails, and what is asked later has its own answer',
  { timeout },
  async () => {
    const { sql, reset, close } = await startResettingProxy();
    const ask = async (number) => (await sql`select ${number}::int as number`)[0].number;
    const isServed = async () => (await ask(0).catch(() => null)) === 0;
    for (let turn = 0; turn < 5; turn += 1) {
      await until(isServed);
      await new Promise((resolve) => setImmediate(resolve));
      reset();
      // Written after the reset is here, and before this process has read of it; and then, after its error is known.
      assert.equal(await fails(ask(1)), true);
      await Promise.all([fails(ask(2)), fails(ask(3))]);
    }
    await until(isServed);
    const numbers = Array.from({ length: 20 }, (_, number) => number);
    assert.deepEqual(await Promise.all(numbers.map(ask)), numbers);
    await sql.end();
    await close();
  },
);

const schemas = ['test_first', 'test_second'];
const inSchemas = async (work) => {
  const sql = postgres(databaseUrl, { ...options, max: 2 });
  for (const schema of schemas) {
    await other.unsafe(`drop schema if exists ${schema} cascade; create schema ${schema}`);
    await other.unsafe(`create table ${schema}.test_place as select '${schema}' as name`);
  }
  try {
    await work(sql, Object.fromEntries(schemas.map((schema) => [schema, sql.searching(schema)])));
  } finally {
    await sql.end();
    for (const schema of schemas) await other.unsafe(`drop schema ${schema} cascade`);
  }
};
const turns = Array.from({ length: 40 }, (_, turn) => schemas[turn % 3 === 0 ? 0 : 1]);

test('clients of several schemas share connections, and each finds its own tables', { timeout }, () =>
  inSchemas(async (sql, clients) => {
    const asked = turns.map(async (schema, turn) => {
      const ask = async (one) => (await one`select name from test_place where ${turn}::int >= 0`)[0].name;
      return turn % 2 === 0 ? await ask(clients[schema]) : await clients[schema].begin(ask);
    });
    assert.deepEqual(await Promise.all(asked), turns);
    const [{ connections }] = await other`
      select count(*)::int as connections from pg_stat_activity where query like '%test_place%' and pid <> pg_backend_pid()`;
    assert.ok(connections <= 2, `${connections} connections`);
    assert.throws(() => sql.searching('a, b'), TypeError);
  }),
);

test('what one schema is searched for is asked where it has been planned', { timeout }, () =>
  inSchemas(async (_, clients) => {
    const pids = new Map(schemas.map((schema) => [schema, new Set()]));
    for (const schema of turns) pids.get(schema).add(await pidOf(clients[schema]));
    assert.deepEqual(
      [...pids.values()].map(({ size }) => size),
      [1, 1],
    );
  }),
);

test('a connection that was lost is told anew which schema to search', { timeout }, () =>
  inSchemas(async (_, clients) => {
    const [first] = schemas;
    const ask = async () => (await clients[first]`select name from test_place`)[0].name;
    assert.equal(await ask(), first);
    await cutOff(await pidOf(clients[first]));
    await until(async () => !(await fails(ask())));
    assert.equal(await ask(), first);
  }),
);

test('what a connection cannot be told to search a schema for is not asked of another one', { timeout }, () =>
  inSchemas(async (_, clients) => {
    const [first, second] = schemas;
    await other.unsafe(`
      create function ${first}.set_config(text, text, boolean) returns text language plpgsql as $$
        begin raise 'it cannot be set'; end $$`);
    // There, the function of that name which is found first is not that of Postgres.
    const told = postgres(databaseUrl, {
      ...options,
      connection: { search_path: `${first}, pg_catalog` },
    });
    const client = told.searching(second);
    await assert.rejects(client`insert into test_place values ('stray')`, /it cannot be set/);
    await assert.rejects(
      client.begin(async (tx) => await tx`insert into test_place values ('stray')`),
      /it cannot be set/,
    );
    assert.equal((await told`select 1 as one`)[0].one, 1);
    await told.end();
    for (const schema of schemas) assert.equal((await clients[schema]`select from test_place`).length, 1);
  }),
);
