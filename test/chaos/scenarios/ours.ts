import { Redis } from 'ioredis';

import type { Stage } from './scenario.ts';

/** Returns what can be done to a server that this run has started. */
export function ours<Act>(act: Act | null | undefined): Act {
  if (act) return act;
  throw new Error('This server was given by its URL: start the run without DATABASE_URL and REDIS_URL.');
}

/** Asks a Redis. */
export async function withRedis<Result>(
  url: string,
  act: (client: Redis) => Promise<Result>,
): Promise<Result> {
  const client = new Redis(url);
  try {
    return await act(client);
  } finally {
    client.disconnect();
  }
}

/** Takes everything from Redis. */
export async function flush({ cluster, onFault }: Stage): Promise<void> {
  onFault('FLUSHALL');
  await withRedis(cluster.redis.url, (client) => client.flushall());
}
