import type { Sql } from '@parley/db';
import { type Logger, pause } from '@parley/kit';
import type { Ephemeral } from '@parley/protocol';
import { type Redis, type Signer, createEphemeralCarrier } from '@parley/redis';

import { appendRoom } from './append.ts';
import type { Publisher } from './publish.ts';
import { readNewest } from './read-log.ts';

const limitMs = 1000;

/**
 * Publishes ephemeral events, which are not in the log. Where the newest entry has no id left for one, an entry without
 * an event makes room. Best effort: without Redis they are lost.
 */
export interface EphemeralPublisher {
  /** Resolves when the event is published or given up, after a second at most. Never rejects. */
  publish(realmId: number, ephemeral: Ephemeral): Promise<void>;
  /** The number of the realm's newest ephemeral event; 0 when Redis is away. */
  newest(realmId: number): Promise<number>;
}

export interface EphemeralPublisherDeps {
  sql: Sql;
  /** The server that holds a realm, where there are several. */
  readonly sqlOf?: (realmId: number) => Promise<Sql>;
  redis: Redis;
  signer: Signer;
  logger: Logger;
  partitions: number;
  publisher: Publisher;
}

const triesMax = 4;

export function createEphemeralPublisher({
  sql,
  sqlOf = async () => sql,
  redis,
  signer,
  logger,
  partitions,
  publisher,
}: EphemeralPublisherDeps): EphemeralPublisher {
  const carrier = createEphemeralCarrier(redis, partitions, signer);
  const rooms = new Map<number, Promise<void>>();

  async function publishAfterHead(realmId: number, { users, event }: Ephemeral): Promise<void> {
    for (let tries = 0; tries < triesMax; tries += 1) {
      // The head is read last, so that hardly any client has received a later entry when the event arrives.
      const head = await readNewest(await sqlOf(realmId), realmId);
      if (!head) return;
      const after = { realmId, after: head.seq, users: [...new Set(users)], event };
      const outcome = await carrier.publish(after, head);
      if (outcome === 'sent') return;
      if (outcome === 'full') await makeRoom(realmId);
    }
  }

  async function appendAndPublish(realmId: number): Promise<void> {
    publisher.publish(realmId, await appendRoom(await sqlOf(realmId), realmId));
  }

  /** Those that want room at the same time get the same. */
  async function makeRoom(realmId: number): Promise<void> {
    const making = rooms.get(realmId) ?? appendAndPublish(realmId).finally(() => rooms.delete(realmId));
    rooms.set(realmId, making);
    await making;
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
