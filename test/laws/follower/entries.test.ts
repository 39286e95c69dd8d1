import { readLog } from '@parley/log';
import { partitionOf } from '@parley/redis';
import { expect, test } from 'vitest';

import { open, own, start, until } from '../../support/follower.ts';
import { holdTimers } from '../../support/held-timers.ts';
import { scrape } from '../../support/index.ts';

test('what is carried is passed on in order, once', async () => {
  const { log, heard } = await open();
  for (const seq of [2, 4, 3, 2, 1, 4, 5]) await log.carry(seq);
  await until(() => heard.length >= 5);
  expect(heard).toEqual([1, 2, 3, 4, 5].map((seq) => `${seq} carried`));
});

test('entries that are carried together are passed on if they are new', async () => {
  const { log, heard, errors } = await open();
  // What is known already is not looked at.
  await log.forge(1);
  await log.carryRun(4, 3);
  await log.carry(2);
  await log.carryRun(1, 4);
  await log.carryRun(2, 2);
  await log.carry(7);
  await until(() => heard.length >= 7);
  expect(heard).toEqual([
    '1 carried',
    '2 carried',
    ...[3, 4, 5, 6].map((seq) => `${seq} together`),
    '7 carried',
  ]);
  expect(errors).toEqual([]);
});

test('a hole is filled from Postgres, whatever the head says', async () => {
  const { log, heard } = await open();
  await log.record(2, 3, 4);
  await log.carry(4);
  await until(() => heard.length >= 4);
  expect(heard).toEqual(['1 carried', '2 recorded', '3 recorded', '4 carried']);
});

test('what is too long to be carried is read from Postgres', async () => {
  const { log, heard, errors } = await open();
  await log.record(2);
  await log.announce(2);
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', '2 recorded']);
  expect(errors).toEqual([]);
});

test('no page of a long stretch is left out, however it is cut', async () => {
  const { world, log, heard, follower } = await open();
  await log.recordLong(2500);
  for (const limits of [
    { entries: 700, bytes: 1e6 },
    { entries: 1000, bytes: 9000 },
    { entries: 1000, bytes: 500 },
  ]) {
    const seqs = [1];
    for (let hasMore = true; hasMore;) {
      const page = await readLog(world.sql, log.id, seqs.at(-1) ?? 0, limits);
      seqs.push(...page.entries.map(({ seq }) => seq));
      ({ hasMore } = page);
    }
    expect(seqs).toEqual(Array.from({ length: 2500 }, (_, index) => index + 1));
  }
  expect(await follower.catchUp(log.id)).toBe(2500);
  expect(heard).toHaveLength(2500);
});

test.each(['forged', 'another entry'])('what is carried and is %s is read from Postgres', async (which) => {
  const { log, heard, errors, facts } = await open();
  await log.record(2);
  await (which === 'forged' ? log.forge(2) : log.repeatAs(2, 1));
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', '2 recorded']);
  expect(errors).toEqual(['an entry in Redis has no valid signature; reading Postgres instead']);
  expect(facts).toContainEqual({ realmId: log.id, seq: 2 });
});

test('a single entry that nobody carries is found by its head', async () => {
  const { log, heard } = await open();
  await log.record(2);
  await log.setHead(2);
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', '2 recorded']);
});

test('nothing is read of a log whose head is known', async () => {
  const { log, comparisons, logReads } = await open();
  await log.setHead(1);
  const [compared, read] = [comparisons(), logReads()];
  await until(() => comparisons() > compared + 1);
  expect(logReads()).toBe(read);
});

test('what is committed before one asks is passed on before the answer', async () => {
  const { log, heard, follower } = await open();
  await log.record(2, 3);
  expect(await follower.catchUp(log.id)).toBe(3);
  expect(heard).toEqual(['1 carried', '2 recorded', '3 recorded']);
});

test('what waits for an entry before it is counted, and what Postgres fills in', async () => {
  const { log, heard } = await open();
  const names = ['parley_log_sequencer_waits_total', 'parley_log_holes_filled_total'];
  const counts = async () => {
    const measured = await scrape();
    const entries = (carrier: string) => measured.of('parley_log_entries_total', { carrier });
    return [...names.map((name) => measured.of(name)), entries('redis'), entries('postgres')];
  };
  const before = await counts();
  await log.record(2);
  await log.carry(3);
  await until(() => heard.length >= 3);
  const since = (await counts()).map((count, index) => count - (before[index] ?? 0));
  expect(since).toEqual([1, 1, 0, 2]);
});

test('a hole is filled if it is still there after a while, in a realm that is still followed', async () => {
  const { world, log, empty, heard, follower } = await open();
  const [other, left] = [await empty(), await empty()];
  for (const { id } of [other, left]) await follower.follow(id);
  const countFilled = async () => (await scrape()).of('parley_log_holes_filled_total');
  const before = await countFilled();
  const held = holdTimers(60, 100);
  try {
    await left.carry(2);
    await log.carry(3);
    await log.carry(2);
    while (heard.length < 3) await world.redis.ping();
    follower.unfollow(left.id);
  } finally {
    held.release();
  }
  expect(await countFilled()).toBe(before);
  await other.record(1);
  await other.carry(2);
  await until(() => heard.length >= 5);
  expect((await countFilled()) - before).toBe(1);
});

test('what a stream carried before is not read', async () => {
  await open();
  const { reads } = await start();
  await until(() => reads.length > 0);
  expect(reads).not.toContain('0-0');
});

test('a process that was held up reads what Redis has answered meanwhile', async () => {
  const { reads, details } = await open();
  const { length } = reads;
  await until(() => reads.length > length);
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2500);
  const before = reads.length;
  await until(() => reads.length > before);
  expect(details).not.toContain('reading the stream failed');
});

test('a stream on which nothing comes is waited for, and goes on', async () => {
  const { log, heard, details, reads } = await start({ partitions: own });
  const partition = String(partitionOf(log.id, own));
  await until(async () => (await scrape()).of('parley_log_stream_up', { partition }) === 1);
  await until(() => reads.length >= 3);
  expect([...new Set(reads)]).toEqual(['0-0']);
  await log.carry(1);
  await until(() => heard.length > 0);
  await until(() => reads.at(-1) !== '0-0');
  expect(heard).toEqual(['1 carried']);
  expect(details).not.toContain('reading the stream failed');
});
