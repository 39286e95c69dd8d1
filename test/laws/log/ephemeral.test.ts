import { createLogger } from '@parley/kit';
import { createEphemeralPublisher } from '@parley/log';
import type { PublishedEphemeral } from '@parley/protocol';
import {
  type Redis,
  connectRedis,
  createSigner,
  keys,
  listenForEphemerals,
  partitionOf,
} from '@parley/redis';
import { afterEach, expect, test, vi } from 'vitest';

import { getWorld, headOf, realm } from '../../support/index.ts';

const event = {
  type: 'typing',
  op: 'start',
  message_type: 'direct',
  sender: { user_id: 1, email: 'a@example.com' },
  recipients: [],
};

const opened: Disposable[] = [];
afterEach(() => opened.splice(0).forEach((listening) => listening[Symbol.dispose]()));

/** A publisher to a realm, and what is heard of it. */
async function open(over: { redis?: Redis } = {}) {
  const world = await getWorld();
  const { partitions, secret } = world;
  const signer = createSigner([secret]);
  const { realm: home } = await realm();
  const failures: unknown[] = [];
  const logger = createLogger({ role: 'test', level: 'silent' });
  logger.debug = (logged: object) => void failures.push(logged);
  const publisher = createEphemeralPublisher({
    sql: world.sql,
    redis: world.redis,
    signer,
    logger,
    partitions,
    publisher: { publish: () => undefined },
    ...over,
  });
  const heard: PublishedEphemeral[] = [];
  const listener = connectRedis({
    url: world.redisUrl,
    name: 'test-ephemeral',
    blocking: true,
    logger: createLogger({ role: 'test', level: 'silent' }),
  });
  opened.push(
    listenForEphemerals(
      listener,
      { partitions, signer, logger },
      { onEphemeral: (ephemeral) => void (ephemeral.realmId === home.id && heard.push(ephemeral)) },
    ),
  );
  const numberKey = keys.ephemeralNumber(partitionOf(home.id, partitions), home.id);
  return { world, home, publisher, heard, failures, numberKey };
}

const until = (isSo: () => boolean | Promise<boolean>) => vi.waitUntil(isSo, { timeout: 60_000 });

test('an ephemeral event comes behind what the log has by then, once to each', async () => {
  const { home, publisher, heard, failures } = await open();
  expect(await publisher.newest(home.id)).toBe(0);
  await until(async () => {
    await publisher.publish(home.id, { users: [3, 5, 3], event });
    return heard.length > 0;
  });
  const last = { realmId: home.id, after: await headOf(home.id), users: [3, 5], event };
  expect(heard[0]).toEqual({ ...last, n: heard[0]?.n });
  await until(async () => heard.at(-1)?.n === (await publisher.newest(home.id)));
  expect(failures).toEqual([]);
});

test('an event is published to the shard that has its channel, and not to all servers', async () => {
  const { world, home, publisher, heard } = await open();
  const logger = createLogger({ role: 'test', level: 'silent' });
  const redis = connectRedis({ url: world.redisUrl, name: 'test-classic', blocking: true, logger });
  opened.push({ [Symbol.dispose]: () => redis.disconnect() });
  const channel = keys.ephemeral(partitionOf(home.id, world.partitions));
  const received: string[] = [];
  redis.on('message', () => void received.push('all servers'));
  redis.on('smessage', () => void received.push('the shard'));
  await until(() => redis.status === 'ready');
  await redis.subscribe(channel);
  await redis.ssubscribe(channel);
  await until(async () => {
    await publisher.publish(home.id, { users: [3], event });
    return heard.length > 0 && received.length > 0;
  });
  expect(new Set(received)).toEqual(new Set(['the shard']));
});

test('nodes of before are heard, which publish to all servers', async () => {
  const { world, home, publisher, heard } = await open();
  await until(async () => {
    await publisher.publish(home.id, { users: [3], event });
    return heard.length > 0;
  });
  const { n = 0, ...last } = heard.at(-1) ?? {};
  const signed = createSigner([world.secret]).sign(`ephemeral ${home.id}`, JSON.stringify(last));
  const channel = keys.ephemeral(partitionOf(home.id, world.partitions));
  await until(async () => {
    await world.redis.publish(channel, `${home.id} ${n + 1000} ${signed}`);
    return heard.some((one) => one.n === n + 1000);
  });
});

test('an event for nobody is not published, nor one of a realm that has no log', async () => {
  const { world, home, publisher, failures, numberKey } = await open();
  await publisher.publish(home.id, { users: [], event });
  await publisher.publish(2_000_000_011, { users: [1], event });
  expect(await publisher.newest(home.id)).toBe(0);
  expect(await publisher.newest(2_000_000_011)).toBe(0);
  expect(failures).toEqual([]);
  expect(await world.redis.exists(numberKey)).toBe(0);
});

test('an event is lost without Redis, and nobody waits', async () => {
  const { redisUrl } = await getWorld();
  const logger = createLogger({ role: 'test', level: 'silent' });
  const redis = connectRedis({ url: redisUrl, name: 'test-ephemeral', logger });
  redis.disconnect();
  await until(() => redis.status === 'end');
  const { home, publisher, failures } = await open({ redis });
  await publisher.publish(home.id, { users: [1], event });
  expect(await publisher.newest(home.id)).toBe(0);
  expect(failures, 'nothing is tried').toEqual([]);
});

test('what Redis refuses fails nothing', async () => {
  const { world, home, publisher, failures, numberKey } = await open();
  await world.redis.lpush(numberKey, 'no number');
  await publisher.publish(home.id, { users: [1], event });
  expect(failures).toEqual([{ err: expect.any(Error), realmId: home.id }]);
  expect(await publisher.newest(home.id)).toBe(0);
  await world.redis.del(numberKey);
});

test('an event is aborted while Postgres hangs', async () => {
  const { world, home, publisher, heard } = await open();
  let isGivenUp = false;
  let late: Promise<unknown> | undefined;
  await world.sql.begin(async (tx) => {
    await tx`lock table realm_heads in access exclusive mode`;
    late = publisher.publish(home.id, { users: [1], event });
    await late;
    isGivenUp = true;
  });
  expect([isGivenUp, heard]).toEqual([true, []]);
});
