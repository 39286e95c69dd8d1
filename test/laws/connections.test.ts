import { type Database, type Tx, connectDatabase } from '@parley/db';
import { sql as drizzleSql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';

import { getWorld } from '../support/world.ts';

const letters = ['a', 'b', 'c'];

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
  const statement = 'select $1::int as asked';
  /** Postgres compares the costs of some plans before it keeps one. */
  const plannedOnce = { statement, generic_plans: 11, custom_plans: 5 };

  const ask = async (db: Tx, time: number) => {
    expect(Array.from(await db.execute(drizzleSql`select ${time}::int as asked`))).toEqual([{ asked: time }]);
  };

  test('is parsed once, and soon has one plan', async () => {
    expect(await preparedBy(ask)).toEqual([plannedOnce]);
  });

  test('is so in transactions and snapshots too', async () => {
    expect(await preparedBy((db, time) => db.transaction((tx) => ask(tx, time)))).toEqual([plannedOnce]);
    expect(await preparedBy((db, time) => db.snapshot((tx) => ask(tx, time)))).toEqual([plannedOnce]);
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
