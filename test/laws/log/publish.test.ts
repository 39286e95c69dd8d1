import { createLogger, systemClock } from '@parley/kit';
import { createPublisher } from '@parley/log';
import { queueTimes } from '@parley/protocol';
import { type Redis, connectRedis, createSigner, keys, partitionOf } from '@parley/redis';
import { currentTracing } from '@parley/telemetry';
import { afterEach, expect, test, vi } from 'vitest';

import { getWorld, openRedis, scrape } from '../../support/index.ts';
import { sendTraces, startTraceCollector } from '../../support/trace-collector.ts';

/** Each has a partition, and so a stream, of its own. */
const partitions = 200_000_033;
const realmId = 1_000_033;
const key = keys.log(partitionOf(realmId, partitions));
const signer = createSigner(['a secret that only these tests know']);

afterEach(async () => {
  const { redis } = await getWorld();
  await redis.del(key);
});

async function open({
  redis,
  streamBytesMax = 32 * 1024 * 1024,
}: { redis?: Redis; streamBytesMax?: number } = {}) {
  const world = await getWorld();
  const warnings: object[] = [];
  const logger = createLogger({ role: 'test', level: 'silent' });
  logger.warn = (logged: object) => void warnings.push(logged);
  const time = { nowMs: systemClock.nowMs() };
  const clock = { nowMs: () => time.nowMs };
  const publisher = createPublisher({
    redis: redis ?? world.redis,
    signer,
    clock,
    logger,
    partitions,
    streamBytesMax,
  });
  const first = await scrape();
  return {
    redis: world.redis,
    publisher,
    time,
    warnings,
    publish: (seq: number, entry = `entry ${seq}`) =>
      publisher.publish(realmId, [{ outcome: 'written', seq, messageId: null, entry }]),
    /** How many entries ended so since it was opened. */
    counted: async (outcome: 'sent' | 'failed' | 'skipped') => {
      const name = 'parley_log_published_total';
      return (await scrape()).of(name, { outcome }) - first.of(name, { outcome });
    },
  };
}

const until = (isSo: () => boolean | Promise<boolean>) => vi.waitUntil(isSo, { timeout: 60_000 });

/** What the stream carries, oldest first. */
async function carried(redis: Redis) {
  return (await redis.xrange(key, '-', '+')).map(([, fields]) => fields);
}

/** What the stream holds for entries that are carried together. */
const run = (lastSeq: number, ...entries: string[]) => [
  'r',
  String(realmId),
  's',
  String(lastSeq),
  'e',
  signer.sign(`entries ${realmId} ${lastSeq}`, entries.join('\n')),
];

const written = (seq: number, entry: string) =>
  ({ outcome: 'written', seq, messageId: null, entry }) as const;

test('what was written is carried with its realm, its number and a signature, and nothing else is', async () => {
  const { redis, publisher, counted, warnings } = await open();
  publisher.publish(realmId, [
    { outcome: 'opening', seq: 7, entry: 'seven' },
    { outcome: 'unchanged' },
    { outcome: 'written', seq: 8, messageId: 3, entry: 'eight' },
    { outcome: 'repeated', messageId: 3 },
  ]);
  publisher.publish(realmId, [{ outcome: 'stale' }]);
  publisher.publish(realmId, [written(9, 'nine'), written(11, 'eleven')]);
  await until(async () => (await redis.xlen(key)) >= 3);
  expect(await carried(redis)).toEqual([run(8, 'seven', 'eight'), run(9, 'nine'), run(11, 'eleven')]);
  expect([await counted('sent'), await counted('failed'), await counted('skipped')]).toEqual([4, 0, 0]);
  expect(warnings).toEqual([]);
});

test('64 KiB are carried together, and an entry that is longer is announced', async () => {
  const { redis, publisher } = await open();
  const half = 'x'.repeat(32 * 1024);
  publisher.publish(realmId, [written(1, half), written(2, half)]);
  publisher.publish(realmId, [written(3, half), written(4, `${half}x`)]);
  publisher.publish(realmId, [written(5, 'x'), written(6, `${half}${half}x`), written(7, 'x')]);
  await until(async () => (await redis.xlen(key)) >= 6);
  expect(await carried(redis)).toEqual([
    run(2, half, half),
    run(3, half),
    run(4, `${half}x`),
    run(5, 'x'),
    [...run(6).slice(0, 5), ''],
    run(7, 'x'),
  ]);
});

test('what is older than a quarter of an hour is dropped from the stream', async () => {
  const { redis, publish, time } = await open();
  const old = time.nowMs - 16 * 60_000;
  const count = 1000;
  const adding = redis.pipeline();
  for (let n = 0; n < count; n += 1) adding.xadd(key, `${old + n}-0`, 'r', realmId, 's', n, 'e', '');
  await adding.exec();
  publish(5000);
  await until(async () => (await redis.xrevrange(key, '+', '-', 'COUNT', 1))[0]?.[1][3] === '5000');
  // Redis drops them by whole nodes, of a hundred entries.
  expect(await redis.xlen(key)).toBeLessThan(count / 2);

  await redis.del(key);
  const recent = time.nowMs - 14 * 60_000;
  await redis.xadd(key, `${recent}-0`, 'r', realmId, 's', 1, 'e', '');
  for (let seq = 2; seq <= 400; seq += 1) publish(seq);
  await until(async () => (await redis.xlen(key)) >= 400);
  expect((await carried(redis))[0]?.[3]).toBe('1');
});

test('what Redis does not take is counted, and a warning comes once in a thousand times', async () => {
  const { redis, publisher, publish, counted, warnings } = await open();
  // No stream can be added to this.
  await redis.set(key, 'no stream');
  publish(1);
  await until(() => warnings.length > 0);
  for (let seq = 2; seq <= 1001; seq += 1) publish(seq);
  await until(() => warnings.length > 1);
  expect(warnings).toEqual([
    { err: expect.objectContaining({ message: expect.stringContaining('WRONGTYPE') }), failures: 1 },
    { err: expect.anything(), failures: 1001 },
  ]);
  publisher.publish(realmId, [written(1002, 'x'), written(1003, 'x')]);
  await until(async () => (await counted('failed')) > 1001);
  expect([await counted('sent'), await counted('failed')]).toEqual([1003, 1003]);
});

test('nothing is tried without Redis', async () => {
  const { redisUrl } = await getWorld();
  const logger = createLogger({ role: 'test', level: 'silent' });
  const redis = connectRedis({ url: redisUrl, name: 'test-publish', logger });
  redis.disconnect();
  await until(() => redis.status === 'end');
  const { publish, counted, warnings } = await open({ redis });
  publish(1);
  expect([await counted('sent'), await counted('failed'), await counted('skipped')]).toEqual([0, 0, 1]);
  expect(warnings).toEqual([]);
});

test.each([
  ['20 000 entries', 20_000, 'x'],
  ['64 MiB', 1024, 'x'.repeat(64 * 1024)],
])('the next entries are left to Postgres while Redis has not answered for %s', async (_, count, entry) => {
  const { redis, publish, counted } = await open({ streamBytesMax: 1e9 });
  for (let seq = 1; seq <= count + 2; seq += 1) publish(seq, entry);
  expect([await counted('sent'), await counted('skipped')]).toEqual([count, 2]);
  await until(async () => (await redis.xlen(key)) >= count);
  // Whatever was answered makes room.
  await until(async () => {
    publish(count + 3, 'x');
    return (await redis.xrevrange(key, '+', '-', 'COUNT', 1))[0]?.[1][3] === String(count + 3);
  });
  const before = await counted('skipped');
  for (let seq = 1; seq <= count - 10; seq += 1) publish(seq, entry);
  expect((await counted('skipped')) - before).toBe(0);
  await until(async () => (await redis.xlen(key)) >= 2 * count - 10);
});

test('a stream that is too long is cut to half of what it may take, once a second', async () => {
  const { redis, publish, time } = await open({ streamBytesMax: 100_000 });
  const entry = 'x'.repeat(1000);
  const add = async (from: number, to: number) => {
    for (let seq = from; seq <= to; seq += 1) publish(seq, entry);
    await until(async () => (await redis.xrevrange(key, '+', '-', 'COUNT', 1))[0]?.[1][3] === String(to));
  };
  publish(1, entry);
  await until(async () => (await redis.xlen(key)) > 0);
  // By then it was looked at: commands are answered in their order.
  for (let count = 0; count < 3; count += 1) await redis.ping();
  await add(2, 200);
  expect(await redis.xlen(key), 'it was looked at this second').toBe(200);
  time.nowMs += 999;
  await add(201, 210);
  expect(await redis.xlen(key)).toBe(210);
  time.nowMs += 1;
  publish(211, entry);
  await until(async () => (await redis.xlen(key)) < 100);
  const bytes = async () => (await redis.memory('USAGE', key)) ?? 0;
  expect(await bytes()).toBeGreaterThan(30_000);
  expect(await bytes()).toBeLessThan(70_000);
  expect((await carried(redis)).at(-1)?.[3]).toBe('211');

  for (let seq = 212; (await bytes()) < 75_000; seq += 1) await add(seq, seq);
  const count = await redis.xlen(key);
  time.nowMs += 1000;
  publish(1000, 'short');
  await until(async () => (await redis.xlen(key)) > count);
  for (let asked = 0; asked < 3; asked += 1) await redis.ping();
  expect(await redis.xlen(key), 'it takes less than it may').toBe(count + 1);
});

test('a stream to which nobody writes any more is kept for as long as a queue may idle, and each second of writing puts its end off', async () => {
  const longestMs = queueTimes.idleSecondsMax * 1000;
  const { redis, publish, time } = await open();
  publish(1);
  await until(async () => (await redis.pttl(key)) > 0);
  expect(await redis.pttl(key)).toBeGreaterThan(longestMs);
  expect(await redis.pttl(key)).toBeLessThan(2 * longestMs);
  await redis.pexpire(key, 60_000);
  time.nowMs += 1000;
  publish(2);
  await until(async () => (await redis.pttl(key)) > longestMs);
  expect(await carried(redis)).toHaveLength(2);
});

test('a stream that nobody can measure is said, and what it carries was sent', async () => {
  const world = await getWorld();
  const password = 'of a user who may not ask for memory';
  await world.redis.call('ACL', 'SETUSER', 'unmeasured', 'on', `>${password}`, '~*', '+@all', '-memory');
  const url = new URL(world.redisUrl);
  Object.assign(url, { username: 'unmeasured', password });
  const redis = await openRedis(url.href);
  try {
    const { publish, counted, warnings } = await open({ redis });
    publish(1);
    await until(() => warnings.length > 0);
    expect(warnings).toEqual([
      { err: expect.objectContaining({ message: expect.stringContaining('NOPERM') }), failures: 1 },
    ]);
    expect([await counted('sent'), await counted('failed')]).toEqual([1, 0]);
    expect(await carried(world.redis)).toEqual([run(1, 'entry 1')]);
  } finally {
    redis.disconnect();
    await world.redis.call('ACL', 'DELUSER', 'unmeasured');
  }
});

test('entries are carried with their traces, if one of them has any', async () => {
  const { redis, publisher } = await open();
  const [traceId, spanId] = ['4bf92f3577b34da6a3ce929d0e0e4736', '00f067aa0ba902b7'];
  await using collector = await startTraceCollector();
  {
    await using _ = await sendTraces(collector);
    publisher.publish(realmId, [
      { ...written(1, 'one'), trace: `00-${traceId}-${spanId}-01` },
      written(2, 'two'),
    ]);
    publisher.publish(realmId, [written(3, 'three')]);
    // What is appended for one request belongs to its trace.
    await currentTracing()?.span('request', () =>
      Promise.resolve(publisher.publish(realmId, [{ outcome: 'opening', seq: 4, entry: 'four' }])),
    );
    await until(async () => (await redis.xlen(key)) >= 3);
  }
  const [request] = collector.spans.filter(({ name }) => name === 'request');
  const spans = collector.spans.filter(({ name }) => name === 'log publish');
  expect(spans.map(({ attributes, parentSpanId }) => ({ ...attributes, parentSpanId }))).toEqual([
    { 'parley.realm': realmId, 'parley.seq': 1, parentSpanId: spanId },
    { 'parley.realm': realmId, 'parley.seq': 4, parentSpanId: request?.spanId },
  ]);
  const [first, fourth] = spans.map((span) => `00-${span.traceId}-${span.spanId}-01`);
  expect([spans[0]?.traceId, spans[1]?.traceId]).toEqual([traceId, request?.traceId]);
  expect(await carried(redis)).toEqual([
    [...run(2, 'one', 'two'), 't', `${first} -`],
    run(3, 'three'),
    [...run(4, 'four'), 't', fourth],
  ]);
});
