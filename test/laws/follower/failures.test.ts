import { expect, test, vi } from 'vitest';

import { cancel, holding, nowhere, open, own, start, until } from '../../support/follower.ts';
import { getWorld, scrape, startPostgresProxy } from '../../support/index.ts';

test('reading that Postgres ends is done again, and any other fault is said', async () => {
  const { world, log, heard, errors, facts } = await open();
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
  const err = expect.objectContaining({ message: expect.stringContaining('event_log') });
  expect(facts).toContainEqual({ err, realmId: log.id });
  await log.record(3);
  await log.announce(3);
  await until(() => heard.length >= 3);
});

test('while heads cannot be compared, this is said once', async () => {
  const { log, heard, warnings, facts } = await open();
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
  const err = expect.objectContaining({ message: expect.stringContaining('canceling') });
  expect(facts).toContainEqual({ err });
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

test('the log is read from Postgres when Redis is missing from the beginning', async () => {
  const { log, heard, details, facts } = await start({ redisUrls: [nowhere] });
  expect((await scrape()).of('parley_log_stream_up', { partition: '0' })).toBe(0);
  await log.record(1);
  await log.setHead(1);
  await until(() => heard.length > 0);
  expect(heard).toEqual(['1 recorded']);
  await until(() => details.includes('reading the stream failed'));
  const err = expect.objectContaining({ message: 'Redis is not connected.' });
  expect(facts).toContainEqual({ err, partition: 0 });
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
