import { createLogger } from '@parley/kit';
import { type Redis, connectRedis, redisReady } from '@parley/redis';

/** On a busy machine, Redis takes its time. This says that something hangs. */
export const commandMsMax = 60_000;

/** A connection to Redis beside those of nodes, when it can be used. It is not given up because the machine is busy. */
export async function openRedis(url: string): Promise<Redis> {
  const logger = createLogger({ role: 'test', level: 'silent' });
  const redis = connectRedis({ url, name: 'beside', logger, commandMsMax });
  if (!(await redisReady(redis, commandMsMax))) throw new Error('Redis cannot be reached.');
  return redis;
}
