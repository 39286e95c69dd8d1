import { readLogHeads, readStreamEnds } from '@parley/log';
import { keys } from '@parley/redis';
import { expect, test } from 'vitest';

import { getWorld, realm, tell } from '../../support/index.ts';

/** Each realm has a partition of its own. */
const partitions = 200_000_033;

test('a log’s head says where it ends, and how much of it is kept', async () => {
  const { alice, bob, realm: home } = await realm();
  const { realm: empty } = await realm();
  const { sql } = await getWorld();
  await sql`delete from event_log where realm_id in (${home.id}, ${empty.id})`;
  await sql`update realm_heads set seq = 0 where realm_id = ${empty.id}`;
  for (let count = 0; count < 3; count += 1) await tell(alice, [bob]);
  const entries = await sql<{ seq: number; at: Date }[]>`
    select seq, appended_at as at from event_log where realm_id = ${home.id} order by seq`;
  const epochs = await sql<{ id: number; epoch: string }[]>`
    select realm_id as id, epoch::text from realm_heads where realm_id in (${home.id}, ${empty.id})`;
  const epochOf = (id: number) => epochs.find((head) => head.id === id)?.epoch;
  const head = {
    realmId: home.id,
    realm: home.name,
    epoch: epochOf(home.id),
    seq: entries.at(-1)?.seq,
    kept: entries.length,
    oldestAt: entries[0]?.at,
  };
  expect(entries.length).toBeGreaterThanOrEqual(3);
  expect(await readLogHeads(sql, home.id)).toEqual([head]);
  const none = {
    realmId: empty.id,
    realm: empty.name,
    epoch: epochOf(empty.id),
    seq: 0,
    kept: 0,
    oldestAt: null,
  };
  expect(await readLogHeads(sql, empty.id)).toEqual([none]);
  expect(await readLogHeads(sql)).toEqual(expect.arrayContaining([head, none]));
});

test('a stream’s end says whether it carries what the log ends with', async () => {
  const { alice, bob, realm: home } = await realm();
  const { sql, redis } = await getWorld();
  await tell(alice, [bob]);
  const [{ seq } = { seq: 0 }] = await readLogHeads(sql, home.id);
  const key = keys.log(home.id);
  const add = (realmId: number, entrySeq: number) =>
    redis.xadd(key, '*', 'r', realmId, 's', entrySeq, 'e', '');
  const endOf = async () =>
    (await readStreamEnds(sql, redis, partitions)).filter(({ partition }) => partition === home.id);
  const end = { partition: home.id, newest: { realmId: home.id, seq } };
  try {
    expect(await endOf()).toEqual([{ ...end, length: 0, isCarried: false }]);
    await add(home.id, seq - 1);
    await add(home.id + 1, seq);
    expect(await endOf()).toEqual([{ ...end, length: 2, isCarried: false }]);
    await add(home.id, seq);
    await add(home.id + 1, seq + 1);
    expect(await endOf()).toEqual([{ ...end, length: 4, isCarried: true }]);
  } finally {
    await redis.del(key);
  }
});
