import { type Sql, connectSql } from '@parley/db';
import { expect, test } from 'vitest';

import { createDatabase } from '../support/database.ts';
import { filesIn } from './source-files.ts';

/** Who takes locks that are no rows, and why. Such a lock lives on one server. */
const withoutRows: Readonly<Record<string, string>> = {
  'shared/db/migrations/0066_locks_of_rows.sql': 'nodes of the version before do, until none runs',
  'shared/db/src/migrations/parts.ts': 'who opens parts of one server takes turns with who publishes them',
  'shared/db/src/migrations/session.ts': 'processes that migrate one server take turns, in sessions',
  'shared/log/src/append-result.ts':
    'every action shares the lock of its realm: a row for it would be written each time',
};

test('locks are rows, but for those that are listed', () => {
  const found = [...filesIn('shared'), ...filesIn('services')].filter(({ text }) =>
    /pg_\w*advisory/.test(text),
  );
  expect(found.map(({ path }) => path).sort()).toEqual(Object.keys(withoutRows));
});

/** Runs a statement in a transaction that goes on; `ends` says whether the statement has ended. */
async function begin(sql: Sql, statement: string) {
  const connection = await sql.reserve();
  const [row] = await connection<{ pid: number }[]>`select pg_backend_pid() as pid`;
  await connection`begin`;
  const locked = connection.unsafe(statement).then(() => 'locked' as const);
  const isWaiting = async () => {
    const [waiting] = await sql<{ blocked: boolean }[]>`
      select cardinality(pg_blocking_pids(${row?.pid ?? 0})) > 0 as blocked`;
    return waiting?.blocked === true;
  };
  return {
    /** Resolves once it has its lock, or is known to wait for it. */
    async state(): Promise<'locked' | 'waits'> {
      for (;;) {
        const state = await Promise.race([
          locked,
          isWaiting().then((is) => (is ? ('waits' as const) : null)),
        ]);
        if (state) return state;
      }
    },
    async end() {
      await locked;
      await connection`commit`;
      connection.release();
    },
  };
}

test('a name is locked until the transaction ends, and then takes no room', async () => {
  await using database = await createDatabase();
  const sql = connectSql({ url: database.url, name: 'test', max: 6 });
  const first = await begin(sql, `select lock_name(1, 'channel', 'news')`);
  expect(await first.state()).toBe('locked');
  const [second, third] = [
    await begin(sql, `select lock_name(1, 'channel', 'news')`),
    await begin(sql, `select lock_name(1, 'channel', 'news')`),
  ];
  expect([await second.state(), await third.state()]).toEqual(['waits', 'waits']);
  for (const other of [`2, 'channel', 'news'`, `1, 'channel', 'old'`, `1, 'user', 'news'`]) {
    const beside = await begin(sql, `select lock_name(${other})`);
    expect(await beside.state()).toBe('locked');
    await beside.end();
  }
  await first.end();
  // One of them has it, and the other waits for that one.
  await Promise.all([second.end(), third.end()]);
  const left = await sql`select from realm_locks`;
  expect(left).toHaveLength(0);
  await sql.end({ timeout: 5 });
});

test('a shared lock keeps out whoever wants it alone, and nobody else', async () => {
  await using database = await createDatabase();
  const sql = connectSql({ url: database.url, name: 'test', max: 6 });
  const lock = (alone: boolean) => begin(sql, `select lock_shared(1, 'user groups', '', ${alone})`);
  await (await lock(true)).end();
  const [first, second] = [await lock(false), await lock(false)];
  expect([await first.state(), await second.state()]).toEqual(['locked', 'locked']);
  const alone = await lock(true);
  expect(await alone.state()).toBe('waits');
  await first.end();
  expect(await alone.state()).toBe('waits');
  await second.end();
  expect(await alone.state()).toBe('locked');
  const later = await lock(false);
  expect(await later.state()).toBe('waits');
  await alone.end();
  await later.end();
  await sql.end({ timeout: 5 });
});
