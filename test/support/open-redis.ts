import { createLogger } from '@parley/kit';
import { type Redis, connectRedis, redisReady } from '@parley/redis';
import { inject } from 'vitest';

/** On a busy machine, Redis takes its time. This says that something hangs. */
export const commandMsMax = 60_000;

/** A connection to Redis beside those of nodes, when it can be used. It is not given up because the machine is busy. */
export async function openRedis(url: string): Promise<Redis> {
  const logger = createLogger({ role: 'test', level: 'silent' });
  const redis = connectRedis({ url, name: 'beside', logger, commandMsMax });
  if (!(await redisReady(redis, commandMsMax))) throw new Error('Redis cannot be reached.');
  return redis;
}

/** The first of the databases that workers have, one each: files that run at the same time disturb nobody. */
const firstDatabase = 6;

/** An empty Redis that no other test uses. */
export async function openEmptyRedis(): Promise<{ redis: Redis; url: string }> {
  const url = new URL(inject('servers').redisUrl);
  url.pathname = `/${firstDatabase + Number(process.env['VITEST_POOL_ID'])}`;
  const redis = await openRedis(url.href);
  await redis.flushdb();
  return { redis, url: url.href };
}
