import { createLogger } from '@parley/kit';
import { type Follower, createFollower, readLog } from '@parley/log';
import { connectRedis, createSigner, keys, partitionOf } from '@parley/redis';
import { afterEach, expect, test, vi } from 'vitest';

import { type World, getWorld, realm, scrape, startPostgresProxy } from '../support/index.ts';

/** All realms share one stream. */
const partitions = 1;

/** An entry as it is recorded; `said` tells entries with one number apart. */
const entryOf = (seq: number, said = 'recorded') => ({
  seq,
  audience: { users: [1] },
  event: { type: 'note', said },
});

/** Entries of one realm's log, put where they are by hand. */
function logOf(world: World, realmId: number) {
  const signer = createSigner(world.secret);
  const stream = keys.log(partitionOf(realmId, partitions));
  const sign = (seq: number, said: string, by = signer, count = 1) => {
    const lines = Array.from({ length: count }, (_, index) => JSON.stringify(entryOf(seq + index, said)));
    return by.sign(`entries ${realmId} ${seq + count - 1}`, lines.join('\n'));
  };
  const send = (seq: number, signed: string) =>
    world.redis.xadd(stream, '*', 'r', realmId, 's', seq, 'e', signed);
  return {
    /** Writes entries to Postgres. The head does not say so. */
    async record(...seqs: number[]) {
      for (const seq of seqs) {
        const entry = JSON.stringify(entryOf(seq));
        await world.sql`
          insert into event_log (realm_id, seq, appended_at, entry, bytes)
          values (${realmId}, ${seq}, now(), ${entry}::text::jsonb, ${entry.length})`;
      }
    },
    setHead: (seq: number) => world.sql`update realm_heads set seq = ${seq} where realm_id = ${realmId}`,
    startAnew: () =>
      world.sql`update realm_heads set epoch = gen_random_uuid(), seq = 0 where realm_id = ${realmId}`,
    carry: (seq: number, said = 'carried') => send(seq, sign(seq, said)),
    /** Carries entries that follow each other together. */
    carryRun: (seq: number, count: number) => send(seq + count - 1, sign(seq, 'together', signer, count)),
    announce: (seq: number) => send(seq, ''),
    forge: (seq: number) =>
      send(seq, sign(seq, 'forged', createSigner('another secret, 32 characters and more'))),
    /** Carries an entry under the number of another. */
    repeatAs: (seq: number, original: number) => send(seq, sign(original, 'repeated')),
  };
}

const until = (isSo: () => boolean | Promise<boolean>) => vi.waitUntil(isSo, { timeout: 20_000 });

const opened: Follower[] = [];
afterEach(async () => {
  for (const follower of opened.splice(0)) await follower[Symbol.asyncDispose]();
});

/** A realm with an empty log, and a follower of it that hears what is carried by now. */
async function open(over: { redisUrl?: string } = {}) {
  const world = await getWorld();
  const heard: string[] = [];
  const lost: number[] = [];
  const errors: string[] = [];
  const logger = createLogger({ role: 'test', level: 'silent' });
  logger.error = (...args: unknown[]) => void errors.push(String(args.at(-1)));
  const empty = async () => {
    const { realm: home } = await realm();
    await world.sql`delete from event_log where realm_id = ${home.id}`;
    await world.sql`update realm_heads set seq = 0 where realm_id = ${home.id}`;
    return { id: home.id, ...logOf(world, home.id) };
  };
  const log = await empty();
  const follower = createFollower(
    {
      sql: world.sql,
      connectRedis: () =>
        connectRedis({ url: over.redisUrl ?? world.redisUrl, name: 'test-follower', blocking: true, logger }),
      logger,
      partitions,
      signer: createSigner(world.secret),
      tail: { entries: 100, bytes: 1e6 },
    },
    {
      onEntries: (realmId, entries) => {
        for (const { seq, event } of entries) {
          heard.push(`${realmId === log.id ? '' : 'other '}${seq} ${String(event['said'])}`);
        }
      },
      onNewEpoch: (realmId) => void lost.push(realmId),
    },
  );
  opened.push(follower);
  const { head } = await follower.follow(log.id);
  // A carrier brings what Postgres never had: until it does, it is not read yet.
  await until(async () => {
    await log.carry(head + 1);
    return heard.length > 0;
  });
  return { world, log, empty, follower, heard, lost, errors };
}

test('what is carried is passed on in order, once', async () => {
  const { log, heard } = await open();
  for (const seq of [2, 4, 3, 2, 1, 4, 5]) await log.carry(seq);
  await until(() => heard.length >= 5);
  expect(heard).toEqual([1, 2, 3, 4, 5].map((seq) => `${seq} carried`));
});

test('of entries that are carried together those are passed on that are new', async () => {
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

test('of a long stretch no page is left out, however it is cut', async () => {
  const { world, log, heard, follower } = await open();
  await world.sql`
    insert into event_log (realm_id, seq, appended_at, entry, bytes)
    select ${log.id}, seq, now(), jsonb_build_object('seq', seq, 'audience', '{}'::jsonb, 'event',
      '{"type": "note", "said": "long"}'::jsonb), 10 * (seq % 3)
    from generate_series(2, 2500) seq`;
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
  const { log, heard, errors } = await open();
  await log.record(2);
  await (which === 'forged' ? log.forge(2) : log.repeatAs(2, 1));
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', '2 recorded']);
  expect(errors).toEqual(['an entry in Redis is not signed; reading Postgres']);
});

test('a single entry that nobody carries is found by its head', async () => {
  const { log, heard } = await open();
  await log.record(2);
  await log.setHead(2);
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', '2 recorded']);
});

test('what is committed before one asks is passed on before the answer', async () => {
  const { log, heard, follower } = await open();
  await log.record(2, 3);
  expect(await follower.catchUp(log.id)).toBe(3);
  expect(heard).toEqual(['1 carried', '2 recorded', '3 recorded']);
});

test('a log that starts anew is lost, and nothing of it is passed on', async () => {
  const { log, heard, lost, follower } = await open();
  await log.startAnew();
  await until(() => lost.length > 0);
  await log.carry(2);
  await expect(follower.catchUp(log.id)).rejects.toThrow('not followed');
  expect([lost, heard]).toEqual([[log.id], ['1 carried']]);
});

test('a log that is trimmed past the node is lost, and no part of it is skipped', async () => {
  const { log, heard, lost, follower } = await open();
  await log.record(3, 4);
  await follower.catchUp(log.id);
  expect([lost, heard]).toEqual([[log.id], ['1 carried']]);
});

test('a realm that is not followed any more is told nothing', async () => {
  const { log, empty, heard, follower } = await open();
  const other = await empty();
  await follower.follow(other.id);
  follower.unfollow(log.id);
  await log.carry(2);
  await other.carry(1);
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', 'other 1 carried']);
});

test('a realm that is followed anew is told nothing that was read for it before', async () => {
  const { world, log, heard, follower } = await open();
  await log.record(1, 2);
  let reading: Promise<number> | undefined;
  await world.sql.begin(async (tx) => {
    await tx`lock table event_log in access exclusive mode`;
    const [{ pid } = { pid: 0 }] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    reading = follower.catchUp(log.id);
    await until(async () => {
      const waiting = await world.sql`select from pg_stat_activity where ${pid} = any(pg_blocking_pids(pid))`;
      return waiting.length > 0;
    });
    follower.unfollow(log.id);
  });
  await reading;
  expect(await follower.follow(log.id)).toMatchObject({ floor: 0, head: 2 });
  await log.carry(3);
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', '3 carried']);
});

test('who asks while the tail is read waits for it', async () => {
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

test('a realm is followed once, and again after it could not be', async () => {
  const { world, log, empty, follower } = await open();
  expect(await follower.follow(log.id)).toBe(await follower.follow(log.id));
  const other = await empty();
  await world.sql`alter table realm_heads rename to heads_away`;
  try {
    await expect(follower.follow(other.id)).rejects.toThrow('realm_heads');
  } finally {
    await world.sql`alter table heads_away rename to realm_heads`;
  }
  expect(await follower.follow(other.id)).toMatchObject({ head: 0 });
});

test('a Redis that hangs is away, until it answers again', async () => {
  const { redisUrl } = await getWorld();
  // It passes on whatever it is given.
  await using proxy = await startPostgresProxy(redisUrl);
  const { log, heard } = await open({ redisUrl: proxy.url });
  const countUp = async () => (await scrape()).of('parley_log_stream_up', { partition: '0' });
  const before = await countUp();
  proxy.hang();
  await until(async () => (await countUp()) < before);
  await log.record(2);
  await log.setHead(2);
  await until(() => heard.length >= 2);
  proxy.resume();
  await until(async () => (await countUp()) >= before);
  await until(async () => {
    await log.carry(3);
    return heard.length >= 3;
  });
  expect(heard).toEqual(['1 carried', '2 recorded', '3 carried']);
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
  expect((await counts()).map((count, index) => count - (before[index] ?? 0))).toEqual([1, 1, 0, 2]);
});
