import type { Clock, Logger } from '@parley/kit';
import { type Redis, keys, partitionOf } from '@parley/redis';

import type { Appended } from './append.ts';

const streamMs = 15 * 60_000;
const unansweredMax = 20_000;

/** Publishes committed entries to the queue nodes. Best effort: the nodes read entries that do not arrive from Postgres. */
export interface Publisher {
  publish(realmId: number, appended: readonly Appended[]): void;
}

export interface PublisherDeps {
  redis: Redis;
  clock: Clock;
  logger: Logger;
  partitions: number;
}

export function createPublisher({ redis, clock, logger, partitions }: PublisherDeps): Publisher {
  let unanswered = 0;
  let failures = 0;

  function publishEntry(realmId: number, seq: number, entry: string): void {
    // Entries must not fill this process's memory while Redis does not answer, so some are left to Postgres.
    if (unanswered >= unansweredMax || redis.status !== 'ready') return;
    unanswered += 1;
    const key = keys.log(partitionOf(realmId, partitions));
    const oldest = clock.nowMs() - streamMs;
    redis
      .xadd(key, 'MINID', '~', oldest, '*', 'r', realmId, 's', seq, 'e', entry)
      .catch((error: unknown) => {
        failures += 1;
        if (failures % 1000 === 1)
          logger.warn({ err: error, failures }, 'publishing failed; nodes read Postgres');
      })
      .finally(() => {
        unanswered -= 1;
      });
  }

  return {
    publish(realmId, appended) {
      for (const answer of appended) {
        if ('entry' in answer) publishEntry(realmId, answer.seq, answer.entry);
      }
    },
  };
}
