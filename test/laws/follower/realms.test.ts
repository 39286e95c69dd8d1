import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

import type { Follower } from '@parley/log';
import { expect, test } from 'vitest';

import { cancel, holding, open, start, until } from '../../support/follower.ts';

setFlagsFromString('--expose-gc');
// Safe: the flag defines it.
const collectGarbage = runInNewContext('gc') as () => void;

test.each(['ffffffff-ffff-4fff-bfff-ffffffffffff', '00000000-0000-4000-8000-000000000000'])(
  'a log that starts anew, in epoch %s, is lost, and nothing of it is passed on',
  async (epoch) => {
    const { log, heard, lost, follower } = await open();
    await log.startAnew(epoch);
    await until(() => lost.length > 0);
    await log.carry(2);
    await expect(follower.catchUp(log.id)).rejects.toThrow('not followed');
    expect([lost, heard]).toEqual([[log.id], ['1 carried']]);
  },
);

test('a log that is trimmed past the node is lost, and no part of it is skipped', async () => {
  const { log, heard, lost, warnings, facts, follower } = await open();
  await log.record(3, 4);
  await follower.catchUp(log.id);
  expect([lost, heard]).toEqual([[log.id], ['1 carried']]);
  expect(warnings).toEqual(['the log was trimmed beyond what this node had read; starting again']);
  expect(facts).toContainEqual({ realmId: log.id, head: 1, first: 3 });
});

test('a log that is trimmed to its end past the node is lost', async () => {
  const { log, lost, warnings } = await open();
  await log.setHead(4);
  await until(() => lost.length > 0);
  expect(lost).toEqual([log.id]);
  expect(warnings).toEqual(['the log was trimmed beyond what this node had read; starting again']);
});

test('a realm that is not followed any more is told nothing', async () => {
  const { log, empty, heard, follower, facts } = await open();
  const other = await empty();
  await follower.follow(other.id);
  follower.unfollow(log.id);
  await log.carry(2);
  await other.carry(1);
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', 'other 1 carried']);
  expect(facts).not.toContainEqual(expect.objectContaining({ err: expect.any(TypeError) }));
});

test('a realm that is followed anew is told nothing that was read for it before', async () => {
  const { log, heard, follower } = await open();
  // More than is read at once.
  await log.recordLong(1500);
  let reading: Promise<number> | undefined;
  await holding('event_log', async (waiting) => {
    reading = follower.catchUp(log.id);
    await waiting.next();
    follower.unfollow(log.id);
  });
  expect(await reading).toBe(1);
  await log.setHead(1500);
  expect(await follower.follow(log.id)).toMatchObject({ floor: 1400, head: 1500 });
  // Its stream is opened anew as well, and might not be read yet.
  await log.record(1501);
  await log.setHead(1501);
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', '1501 recorded']);
});

test('a reader that asks while the tail is read waits for it', async () => {
  const { world, empty, follower } = await open();
  const other = await empty();
  await other.record(1);
  await other.setHead(1);
  let following: ReturnType<Follower['follow']> | undefined;
  let asking: Promise<number> | undefined;
  await world.sql.begin(async (tx) => {
    await tx`lock table realm_heads in access exclusive mode`;
    following = follower.follow(other.id);
    asking = follower.catchUp(other.id);
  });
  expect([(await following)?.head, await asking]).toEqual([1, 1]);
});

test('what is carried while the tail is read follows it', async () => {
  const { world, log, empty, heard, follower } = await open();
  const other = await empty();
  let following: ReturnType<Follower['follow']> | undefined;
  await world.sql.begin(async (tx) => {
    await tx`lock table realm_heads in access exclusive mode`;
    following = follower.follow(other.id);
    await other.carry(1);
    await log.carry(2);
    await until(() => heard.length >= 2);
    expect(heard).toEqual(['1 carried', '2 carried']);
  });
  expect(await following).toMatchObject({ floor: 0, head: 0, entries: [] });
  await until(() => heard.length >= 3);
  expect(heard.slice(2)).toEqual(['other 1 carried']);
});

test('four megabytes are kept of what is carried while the tail is read', async () => {
  const { log, empty, heard, follower } = await open();
  const other = await empty();
  const long = 'long '.repeat(300_000);
  let following: ReturnType<Follower['follow']> | undefined;
  await holding('realm_heads', async () => {
    following = follower.follow(other.id);
    await other.carry(1, long);
    await other.carry(2, long);
    await other.carry(3, long);
    await other.carry(4);
    await log.carry(2);
    await until(() => heard.length >= 2);
  });
  await following;
  await other.record(1, 2, 3, 4, 5);
  await other.announce(5);
  await until(() => heard.length >= 7);
  expect(heard.slice(2)).toEqual([
    `other 1 ${long}`,
    `other 2 ${long}`,
    'other 3 recorded',
    'other 4 recorded',
    'other 5 recorded',
  ]);
});

test('a realm is followed once, and again after it could not be', async () => {
  const { world, log, empty, follower, connections } = await open();
  expect(await follower.follow(log.id)).toBe(await follower.follow(log.id));
  await expect(follower.follow(2_000_000_000)).rejects.toThrow('has no log');
  const other = await empty();
  await world.sql`alter table realm_heads rename to heads_away`;
  try {
    await expect(follower.follow(other.id)).rejects.toThrow('realm_heads');
  } finally {
    await world.sql`alter table heads_away rename to realm_heads`;
  }
  expect(await follower.follow(other.id)).toMatchObject({ head: 0 });
  expect(connections, 'realms of one stream share a connection').toHaveLength(1);
});

test('a realm that is followed anew stays followed when the first attempt fails later', async () => {
  const { log, empty, follower, heard } = await open();
  const other = await empty();
  follower.unfollow(log.id);
  let second: ReturnType<Follower['follow']> | undefined;
  await holding('realm_heads', async (waiting) => {
    const first = expect(follower.follow(other.id)).rejects.toThrow('canceling');
    const pid = await waiting.next();
    follower.unfollow(other.id);
    second = follower.follow(other.id);
    await cancel(pid);
    await first;
  });
  await second;
  // Its stream is opened anew as well, and might not be read yet.
  await other.record(1);
  await other.setHead(1);
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', 'other 1 recorded']);
});

test('while no realm is followed no heads are compared', async () => {
  const { log, follower, comparisons } = await open();
  const another = await start();
  follower.unfollow(log.id);
  const [own, others] = [comparisons(), another.comparisons()];
  // Each compares every second.
  await until(() => another.comparisons() > others + 2);
  expect(comparisons()).toBe(own);
});

test('a realm that nobody follows may be left', async () => {
  const { empty, follower, log } = await open();
  follower.unfollow((await empty()).id);
  expect(await follower.catchUp(log.id)).toBe(1);
});

test('a log of which nothing is kept begins behind its head', async () => {
  const { empty, follower } = await open();
  const other = await empty();
  await other.setHead(5);
  expect(await follower.follow(other.id)).toMatchObject({ floor: 5, head: 5, entries: [] });
});

test('the tail begins with the newest entries, as many as are wanted', async () => {
  const { empty, follower } = await open();
  const other = await empty();
  await other.recordLong(500);
  await other.setHead(400);
  const tail = await follower.follow(other.id);
  // Those behind the head that was read are part of it.
  expect(tail).toMatchObject({ floor: 300, head: 500 });
  expect(tail.entries.map(({ seq }) => seq)).toEqual(Array.from({ length: 200 }, (_, index) => 301 + index));
});

test('the head of a realm that is not followed any more says nothing', async () => {
  const { log, empty, follower, heard, warnings } = await open();
  const other = await empty();
  await holding('realm_heads', async (waiting) => {
    await waiting.next();
    follower.unfollow(log.id);
  });
  await follower.follow(other.id);
  await other.record(1);
  await other.setHead(1);
  await until(() => heard.length >= 2);
  expect([heard, warnings]).toEqual([['1 carried', 'other 1 recorded'], []]);
});

test('what is read when a realm is opened is kept by nobody but whoever opened it', async () => {
  const { empty, follower } = await start();
  const other = await empty();
  await other.record(1, 2, 3);
  const read = async () => {
    const { entries, head } = await follower.follow(other.id);
    expect(head).toBe(3);
    return new WeakRef(entries);
  };
  const entries = await read();
  await until(() => {
    collectGarbage();
    return entries.deref() === undefined;
  });
});

test('a stream that carries no realm which is followed is not read any more, and is read again for one', async () => {
  const { log, empty, follower, heard, connections } = await open({ partitions: 1 });
  const other = await empty();
  await follower.follow(other.id);
  expect(connections).toHaveLength(1);
  follower.unfollow(log.id);
  await other.carry(1);
  await until(() => heard.includes('other 1 carried'));
  follower.unfollow(other.id);
  await until(() => connections[0]?.status === 'end');
  await follower.follow(other.id);
  await until(() => connections[1]?.status === 'ready');
  expect(connections).toHaveLength(2);
});
