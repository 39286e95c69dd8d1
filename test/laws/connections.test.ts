import { connectDatabase, connectSql } from '@parley/db';
import { sql as drizzleSql } from 'drizzle-orm';
import { expect, test } from 'vitest';

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

test('so has a statement of Drizzle, alone and in a transaction', async () => {
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
