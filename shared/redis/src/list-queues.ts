import type { QueueRecord } from '@parley/protocol';
import type { Redis } from 'ioredis';

import { mastersOf } from './client.ts';
import { keys } from './keys.ts';
import { parseRecord } from './registry.ts';
import type { Signer } from './signer.ts';

/** An event queue as the registry has it. */
export interface RegisteredQueue {
  record: QueueRecord;
  /** The queue node where its latest poll waits, or waited; null before its first. */
  holder: string | null;
  /** For how long it is kept if nobody polls it any more. */
  ttlSeconds: number;
}

const keysPerPage = 500;

/** Goes through all event queues, page by page. A queue that comes or goes meanwhile may be missed; some come twice. */
export async function* listQueues(redis: Redis, signer: Signer): AsyncGenerator<RegisteredQueue[]> {
  for (const server of mastersOf(redis)) yield* listQueuesOf(server, redis, signer);
}

async function* listQueuesOf(server: Redis, redis: Redis, signer: Signer): AsyncGenerator<RegisteredQueue[]> {
  const [before = '', after = ''] = keys.queue('*').split('*');
  let cursor = '0';
  do {
    const [next, names] = await server.scan(cursor, 'MATCH', keys.queue('*'), 'COUNT', keysPerPage);
    cursor = next;
    const ids = names.map((name) => name.slice(before.length, name.length - after.length));
    yield (await Promise.all(ids.map((id) => readQueue(redis, signer, id)))).filter(
      (queue) => queue !== null,
    );
  } while (cursor !== '0');
}

async function readQueue(redis: Redis, signer: Signer, id: string): Promise<RegisteredQueue | null> {
  const [signed, holder, ttlSeconds] = await Promise.all([
    redis.get(keys.queue(id)),
    redis.get(keys.queueHolder(id)),
    redis.ttl(keys.queue(id)),
  ]);
  const record = parseRecord(signer, id, signed);
  return record && { record, holder, ttlSeconds };
}
