import { createLogger } from '@parley/kit';
import { type Follower, createFollower, readLog } from '@parley/log';
import { type Redis, connectRedis, createSigner, keys, partitionOf } from '@parley/redis';
import { currentTracing, startTracing } from '@parley/telemetry';
import { afterEach, expect, test, vi } from 'vitest';

import { type World, getWorld, realm, scrape, startPostgresProxy } from '../support/index.ts';
import { startTraceCollector } from '../support/trace-collector.ts';

/** All realms share one stream, those of other files as well. */
const shared = 1;
/** Each realm has a stream of its own, on which nothing comes but what its test carries. */
const own = 2_000_003;

/** An entry as it is recorded; `said` tells entries with one number apart. */
const entryOf = (seq: number, said = 'recorded') => ({
  seq,
  audience: { users: [1] },
  event: { type: 'note', said },
});

/** Entries of one realm's log, put where they are by hand. */
function logOf(world: World, realmId: number, partitions = shared) {
  const signer = createSigner(world.secret);
  const stream = keys.log(partitionOf(realmId, partitions));
  const sign = (seq: number, said: string, by = signer, count = 1) => {
    const lines = Array.from({ length: count }, (_, index) => JSON.stringify(entryOf(seq + index, said)));
    return by.sign(`entries ${realmId} ${seq + count - 1}`, lines.join('\n'));
  };
  const send = (seq: number, signed: string, ...more: string[]) =>
    world.redis.xadd(stream, '*', 'r', realmId, 's', seq, 'e', signed, ...more);
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
    /** Writes the entries after the first. */
    recordLong: (last: number) => world.sql`
      insert into event_log (realm_id, seq, appended_at, entry, bytes)
      select ${realmId}, seq, now(), jsonb_build_object('seq', seq, 'audience', '{}'::jsonb, 'event',
        '{"type": "note", "said": "long"}'::jsonb), 10 * (seq % 3)
      from generate_series(2, ${last}) seq`,
    setHead: (seq: number) => world.sql`update realm_heads set seq = ${seq} where realm_id = ${realmId}`,
    startAnew: () =>
      world.sql`update realm_heads set epoch = gen_random_uuid(), seq = 0 where realm_id = ${realmId}`,
    carry: (seq: number, said = 'carried') => send(seq, sign(seq, said)),
    /** Carries entries that follow each other together. */
    carryRun: (seq: number, count: number) => send(seq + count - 1, sign(seq, 'together', signer, count)),
    /** Carries entries together with their traces. */
    carryTraced: (seq: number, ...traces: string[]) =>
      send(seq + traces.length - 1, sign(seq, 'traced', signer, traces.length), 't', traces.join(' ')),
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

interface Options {
  /** A connection each. */
  redisUrls?: string[];
  partitions?: number;
}

/** No Redis is there. */
const nowhere = 'redis://127.0.0.1:1';

/** A follower of a realm with an empty log. */
async function start({ partitions = shared, ...over }: Options = {}) {
  const world = await getWorld();
  const heard: string[] = [];
  const lost: number[] = [];
  const [errors, warnings, details]: [string[], string[], string[]] = [[], [], []];
  const connections: Redis[] = [];
  /** After which entries of streams was read. */
  const reads: unknown[] = [];
  let comparisons = 0;
  const sql = new Proxy(world.sql, {
    apply(query, self, [text, ...values]: [readonly string[], ...unknown[]]) {
      if (text[0]?.includes('epoch::text')) comparisons += 1;
      return Reflect.apply(query, self, [text, ...values]);
    },
  });
  const logger = createLogger({ role: 'test', level: 'silent' });
  logger.error = (...args: unknown[]) => void errors.push(String(args.at(-1)));
  logger.warn = (...args: unknown[]) => void warnings.push(String(args.at(-1)));
  logger.debug = (...args: unknown[]) => void details.push(String(args.at(-1)));
  const empty = async () => {
    const { realm: home } = await realm();
    await world.sql`delete from event_log where realm_id = ${home.id}`;
    await world.sql`update realm_heads set seq = 0 where realm_id = ${home.id}`;
    return { id: home.id, ...logOf(world, home.id, partitions) };
  };
  const log = await empty();
  const follower = createFollower(
    {
      sql,
      connectRedis() {
        const url = over.redisUrls?.[connections.length] ?? world.redisUrl;
        const redis = connectRedis({ url, name: 'test-follower', blocking: true, logger });
        connections.push(redis);
        const read = redis.xread.bind(redis);
        vi.spyOn(redis, 'xread').mockImplementation((...args: unknown[]) => {
          reads.push(args.at(-1));
          return read(...(args as Parameters<typeof read>));
        });
        return redis;
      },
      logger,
      partitions,
      signer: createSigner(world.secret),
      tail: { entries: 100, bytes: 1e6 },
    },
    {
      onEntries: (realmId, entries) => {
        if (entries.length === 0) heard.push('nothing');
        for (const { seq, event } of entries) {
          heard.push(`${realmId === log.id ? '' : 'other '}${seq} ${String(event['said'])}`);
        }
      },
      onNewEpoch: (realmId) => void lost.push(realmId),
    },
  );
  opened.push(follower);
  const { head } = await follower.follow(log.id);
  return {
    world,
    log,
    empty,
    follower,
    heard,
    lost,
    errors,
    warnings,
    details,
    connections,
    reads,
    head,
    /** How often heads were read. */
    comparisons: () => comparisons,
  };
}

/** One that hears what is carried by now. */
async function open(over: Options = {}) {
  const started = await start(over);
  // A carrier brings what Postgres never had: until it does, it is not read yet.
  await until(async () => {
    await started.log.carry(started.head + 1);
    return started.heard.length > 0;
  });
  return started;
}

/** Lets queries wait for a table while something is done, and then go on. */
async function holding(table: string, act: (waiting: Waiting) => Promise<void>): Promise<void> {
  const { sql } = await getWorld();
  await sql.begin(async (tx) => {
    await tx`lock table ${tx(table)} in access exclusive mode`;
    const [{ pid: own } = { pid: 0 }] = await tx<{ pid: number }[]>`select pg_backend_pid() as pid`;
    let after = '-infinity';
    await act({
      async next() {
        let pid = 0;
        await until(async () => {
          const [found] = await sql<{ pid: number; since: string }[]>`
            select pid, query_start::text as since from pg_stat_activity
            where ${own} = any(pg_blocking_pids(pid)) and query_start > ${after}::text::timestamptz
            order by query_start limit 1`;
          if (found) ({ pid, since: after } = found);
          return found !== undefined;
        });
        return pid;
      },
    });
  });
}

interface Waiting {
  /** Resolves with the process of the next query that waits. */
  next(): Promise<number>;
}

/** As Postgres does with what takes too long. */
const cancel = async (pid: number) => await (await getWorld()).sql`select pg_cancel_backend(${pid})`;

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
  const { log, empty, heard, follower, details } = await open();
  const other = await empty();
  await follower.follow(other.id);
  follower.unfollow(log.id);
  await log.carry(2);
  await other.carry(1);
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', 'other 1 carried']);
  expect(details).toEqual([]);
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
  await log.carry(1501);
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', '1501 carried']);
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
  await other.carry(1);
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', 'other 1 carried']);
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

test('reading that Postgres ends is done again, and any other fault is said', async () => {
  const { world, log, heard, errors } = await open();
  await log.record(2);
  await holding('event_log', async (waiting) => {
    await log.announce(2);
    await cancel(await waiting.next());
  });
  await until(async () => {
    await log.announce(2);
    return heard.length >= 2;
  });
  expect([heard, errors]).toEqual([['1 carried', '2 recorded'], []]);
  await world.sql`alter table event_log rename to log_away`;
  try {
    await log.announce(3);
    await until(() => errors.length > 0);
  } finally {
    await world.sql`alter table log_away rename to event_log`;
  }
  expect(errors).toEqual(['reading the log failed']);
  await log.record(3);
  await log.announce(3);
  await until(() => heard.length >= 3);
});

test('while heads cannot be compared, this is said once', async () => {
  const { log, heard, warnings } = await open();
  const fail = (times: number) =>
    holding('realm_heads', async (waiting) => {
      for (let count = 0; count < times; count += 1) await cancel(await waiting.next());
      await waiting.next();
    });
  await fail(2);
  await log.record(2);
  await log.setHead(2);
  await until(() => heard.length >= 2);
  const warning = 'cannot compare heads with Postgres';
  expect(warnings).toEqual([warning]);
  await fail(1);
  expect(warnings).toEqual([warning, warning]);
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

test('what was carried while nobody could read it is read afterwards', async () => {
  const { redisUrl } = await getWorld();
  await using proxy = await startPostgresProxy(redisUrl);
  const { log, heard, details } = await open({ redisUrls: [proxy.url] });
  proxy.hang();
  await until(() => details.includes('reading the stream failed'));
  await log.carry(2);
  proxy.resume();
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', '2 carried']);
});

test('without Redis from the beginning the log is read from Postgres', async () => {
  const { log, heard, details } = await start({ redisUrls: [nowhere] });
  expect((await scrape()).of('parley_log_stream_up', { partition: '0' })).toBe(0);
  await log.record(1);
  await log.setHead(1);
  await until(() => heard.length > 0);
  expect(heard).toEqual(['1 recorded']);
  await until(() => details.includes('reading the stream failed'));
});

test('while a stream is away heads are compared more often', async () => {
  const whole = await start({ partitions: own });
  const lacking = await start({ partitions: own, redisUrls: [(await getWorld()).redisUrl, nowhere] });
  for (const { follower, empty } of [whole, lacking]) await follower.follow((await empty()).id);
  await until(() =>
    [...whole.connections, lacking.connections[0]].every((redis) => redis?.status === 'ready'),
  );
  const [usual, more] = [whole.comparisons(), lacking.comparisons()];
  await until(() => whole.comparisons() >= usual + 4);
  expect(lacking.comparisons() - more).toBeGreaterThan(4);
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

test('what a stream carried before is not read', async () => {
  await open();
  const { reads } = await start();
  await until(() => reads.length > 0);
  expect(reads).not.toContain('0-0');
});

test('a follower that ends leaves no connection and no measurement', async () => {
  const { log, follower, connections } = await open();
  const other = await open();
  const heads = async () => (await scrape()).of('parley_log_head', { partition: '0' });
  await other.log.carry(2);
  await until(() => other.heard.length >= 2);
  expect([log.id === other.log.id, await heads()]).toEqual([false, 3]);
  const [redis] = connections;
  const leaving = redis && vi.spyOn(redis, 'disconnect');
  const ending = follower[Symbol.asyncDispose]();
  expect(leaving, 'what Redis has to say is not waited for').toHaveBeenCalled();
  await ending;
  await until(() => connections.every(({ status }) => status === 'end'));
  expect(await heads()).toBe(2);
});

test('a follower that ends waits for what it reads', async () => {
  const { world, follower } = await open();
  let isEnded = false;
  let ending: Promise<void> | undefined;
  await holding('realm_heads', async (waiting) => {
    await waiting.next();
    ending = (async () => {
      await follower[Symbol.asyncDispose]();
      isEnded = true;
    })();
    for (let count = 0; count < 3; count += 1) await world.redis.ping();
    expect(isEnded).toBe(false);
  });
  await ending;
});

const traceId = '4bf92f3577b34da6a3ce929d0e0e4736';
const spanOf = (seq: number) => `00f067aa0ba9020${seq}`;
const traceOf = (seq: number) => `00-${traceId}-${spanOf(seq)}-01`;

test('the trace of an entry goes on where it is received', async () => {
  const { log, heard } = await open();
  await using collector = await startTraceCollector();
  const tracing = await startTracing(
    { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_TRACES_SAMPLER_ARG: 1 },
    'test',
    createLogger({ role: 'test', level: 'silent' }),
  );
  try {
    await log.carryTraced(2, traceOf(2), '-', traceOf(4));
    await until(() => heard.length >= 4);
    for (const seq of [2, 3, 4]) currentTracing()?.delivered({ realmId: log.id, seq }, { 'parley.seq': seq });
  } finally {
    await tracing[Symbol.asyncDispose]();
  }
  const received = collector.spans.filter(({ name }) => name === 'log receive');
  expect(received.map((span) => [span.traceId, span.parentSpanId, span.attributes['parley.seq']])).toEqual(
    [2, 4].map((seq) => [traceId, spanOf(seq), seq]),
  );
  const delivered = collector.spans.filter(({ name }) => name === 'GET /events');
  expect(delivered.map((span) => [span.parentSpanId, span.attributes['parley.seq']])).toEqual(
    received.map((span) => [span.spanId, span.attributes['parley.seq']]),
  );
});

test('where no traces are made those that are carried hold nothing up', async () => {
  const { log, heard } = await open();
  await log.carryTraced(2, traceOf(2));
  await until(() => heard.length >= 2);
  expect(heard).toEqual(['1 carried', '2 traced']);
});

test('a Redis that hangs is away, until it answers again', async () => {
  const { redisUrl } = await getWorld();
  // It passes on whatever it is given.
  await using proxy = await startPostgresProxy(redisUrl);
  const { log, heard } = await open({ redisUrls: [proxy.url] });
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
  const since = (await counts()).map((count, index) => count - (before[index] ?? 0));
  expect(since).toEqual([1, 1, 0, 2]);
});
