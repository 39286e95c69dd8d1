import { type Logger, backoffMs } from '@parley/kit';
import { gauge } from '@parley/telemetry';
import type { Redis } from 'ioredis';

import { mastersOf, openClient } from './client.ts';

export type { Redis } from 'ioredis';

export interface RedisOptions {
  url: string;
  name: string;
  logger: Logger;
  /** The connection waits inside Redis (XREAD BLOCK, SUBSCRIBE): its commands have no time limit of their own. */
  blocking?: boolean;
  /** The connection subscribes to channels of shards: in a cluster, it has one to each master. */
  sharded?: boolean;
  /** A command that has not been answered for so long fails: a second, unless the machine is known to be slow. */
  commandMsMax?: number;
}

const usualMsMax = 1000;
const pingMs = 500;
/** A timer that comes later than that comes in a process that was held up. */
const lateMsMax = 200;

const connections = gauge(
  'parley_redis_connections',
  'Connections to Redis, and whether they are established',
  ['connection', 'state'],
);

/**
 * Connects, and reconnects for ever with backoff. A command that cannot be sent or answered fails within a second:
 * callers have another way (memory, Postgres) and must not wait for Redis to come back. A Redis that hangs loses its
 * connection, so that from then on commands fail at once.
 */
export function connectRedis({
  url,
  name,
  logger,
  blocking = false,
  sharded = false,
  commandMsMax = usualMsMax,
}: RedisOptions): Redis {
  const redis = openClient(
    url,
    {
      connectionName: `parley-${name}`,
      connectTimeout: usualMsMax,
      disconnectTimeout: 100,
      enableOfflineQueue: false,
      enableAutoPipelining: !blocking,
      maxRetriesPerRequest: 0,
      keepAlive: 10_000,
      retryStrategy: (attempt) => 50 + backoffMs(attempt, { firstMs: 50, maxMs: 400 }),
      ...(!blocking && { commandTimeout: commandMsMax }),
    },
    sharded,
  );
  if (!blocking) dropWhenSilent(redis, commandMsMax);
  let wasReady = false;
  redis.on('ready', () => {
    if (wasReady) logger.info({ redis: name }, 'Redis is connected again');
    wasReady = true;
  });
  // Without a listener a lost connection would end the process. Each command reports its own failure.
  redis.on('error', (error) => logger.debug({ redis: name, err: error }, 'the connection to Redis failed'));
  const measuring = connections.watch((set) =>
    set(1, { connection: name, state: redis.status === 'ready' ? 'ready' : 'away' }),
  );
  redis.on('end', () => measuring[Symbol.dispose]());
  // Not where it was closed on purpose.
  redis.on('reconnecting', () => {
    if (wasReady) logger.warn({ redis: name }, 'Redis is not connected');
    wasReady = false;
  });
  return redis;
}

/**
 * Ends a connection when Redis does not answer on it; ioredis opens another. If this process was held up itself, nobody knows
 * whether there was an answer: it asks again.
 */
function dropWhenSilent(redis: Redis, answerMsMax: number): void {
  const timer = setInterval(() => {
    if (redis.status === 'end') clearInterval(timer);
    if (redis.status !== 'ready') return;
    const askedMs = performance.now();
    for (const server of mastersOf(redis)) {
      server.ping().catch(() => {
        const isLate = performance.now() - askedMs > answerMsMax + lateMsMax;
        if (server.status === 'ready' && !isLate) server.disconnect(true);
      });
    }
  }, pingMs);
  timer.unref();
}

/** Resolves with whether the connection is ready, after `limitMs` at the latest. */
export async function redisReady(redis: Redis, limitMs: number): Promise<boolean> {
  if (redis.status === 'ready') return true;
  return await new Promise((resolve) => {
    const timer = setTimeout(() => done(false), limitMs);
    const ready = () => done(true);
    const done = (isReady: boolean) => {
      clearTimeout(timer);
      redis.off('ready', ready);
      resolve(isReady);
    };
    redis.once('ready', ready);
  });
}
