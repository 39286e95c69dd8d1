import { readFileSync } from 'node:fs';

import { type PublishedEphemeral, denseLayout } from '@parley/protocol';
import type { Redis } from 'ioredis';

import { keys, partitionOf } from './keys.ts';
import type { Signer } from './signer.ts';

/** Carries ephemeral events from api nodes to queue nodes. Both methods reject when Redis is away. */
export interface EphemeralCarrier {
  /**
   * Numbers the event, and sends it to every node that listens. It is not sent if no id is left for it behind its entry,
   * which is as old as given, or if another was published behind a later entry of the same epoch.
   */
  publish(
    event: Omit<PublishedEphemeral, 'n'>,
    entry: { ageMs: number; epoch: string },
  ): Promise<'sent' | 'full' | 'late'>;
  /** Number of the realm's newest ephemeral event. */
  newest(realmId: number): Promise<number>;
}

interface Scripted {
  publishEphemeral(
    numberKey: string,
    placeKey: string,
    channel: string,
    before: string,
    after: string,
    seq: number,
    ageMs: number,
    perEntry: number,
    eventsMax: number,
    epoch: string,
  ): Promise<number>;
}

/** Safe: the method has just been defined, with the keys and arguments that the script's header lists. */
function defineScript(redis: Redis): Scripted {
  const lua = readFileSync(new URL('../scripts/publish-ephemeral.lua', import.meta.url), 'utf8');
  redis.defineCommand('publishEphemeral', { numberOfKeys: 2, lua });
  return redis as unknown as Scripted;
}

export function createEphemeralCarrier(redis: Redis, partitions: number, signer: Signer): EphemeralCarrier {
  const scripted = defineScript(redis);
  return {
    async publish({ realmId, ...event }, { ageMs, epoch }) {
      const partition = partitionOf(realmId, partitions);
      const number = await scripted.publishEphemeral(
        keys.ephemeralNumber(partition, realmId),
        keys.ephemeralPlace(partition, realmId),
        keys.ephemeral(partition),
        `${realmId} `,
        ` ${signer.sign(`ephemeral ${realmId}`, JSON.stringify(event))}`,
        event.after,
        Math.round(ageMs),
        denseLayout.perEntry,
        denseLayout.eventsMax,
        epoch,
      );
      if (number > 0) return 'sent';
      return number === 0 ? 'full' : 'late';
    },
    async newest(realmId) {
      return Number(await redis.get(keys.ephemeralNumber(partitionOf(realmId, partitions), realmId)));
    },
  };
}
