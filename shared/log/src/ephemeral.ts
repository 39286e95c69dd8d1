import type { Sql } from '@parley/db';
import { type Logger, pause } from '@parley/kit';
import type { Ephemeral } from '@parley/protocol';
import { type Redis, type Signer, createEphemeralCarrier } from '@parley/redis';

import { readHeads } from './read-log.ts';

const limitMs = 1000;

/** Publishes ephemeral events, which are not in the log. Best effort: without Redis they are lost. */
export interface EphemeralPublisher {
  /** Resolves when the event is published or given up, after a second at most. Never rejects. */
  publish(realmId: number, ephemeral: Ephemeral): Promise<void>;
  /** The number of the realm's newest ephemeral event; 0 when Redis is away. */
  newest(realmId: number): Promise<number>;
}

export interface EphemeralPublisherDeps {
  sql: Sql;
  redis: Redis;
  signer: Signer;
  logger: Logger;
  partitions: number;
}

export function createEphemeralPublisher({
  sql,
  redis,
  signer,
  logger,
  partitions,
}: EphemeralPublisherDeps): EphemeralPublisher {
  const carrier = createEphemeralCarrier(redis, partitions, signer);

  async function publishAfterHead(realmId: number, { users, event }: Ephemeral): Promise<void> {
    // The head is read last, so that hardly any client has received a later entry when the event arrives.
    const [head] = await readHeads(sql, [realmId]);
    if (head) await carrier.publish({ realmId, after: head.seq, users: [...new Set(users)], event });
  }

  return {
    async publish(realmId, ephemeral) {
      if (ephemeral.users.length === 0 || redis.status !== 'ready') return;
      const published = publishAfterHead(realmId, ephemeral).catch((error: unknown) =>
        logger.debug({ err: error, realmId }, 'an ephemeral event was not published'),
      );
      const done = new AbortController();
      await Promise.race([published, pause(limitMs, done.signal)]);
      done.abort();
    },
    async newest(realmId) {
      return redis.status === 'ready' ? await carrier.newest(realmId).catch(() => 0) : 0;
    },
  };
}
