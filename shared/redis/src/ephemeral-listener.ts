import type { Logger } from '@parley/kit';
import { PublishedEphemeral } from '@parley/protocol';
import type { Redis } from 'ioredis';

import { keys } from './keys.ts';
import type { Signer } from './signer.ts';

export interface EphemeralListener {
  readonly onEphemeral: (event: PublishedEphemeral) => void;
}

/**
 * Receives every ephemeral event of every partition, through every loss of Redis: events published meanwhile are missed.
 * The listener owns the connection.
 */
export function listenForEphemerals(
  redis: Redis,
  { partitions, signer, logger }: { partitions: number; signer: Signer; logger: Logger },
  { onEphemeral }: EphemeralListener,
): Disposable {
  redis.on('message', (_: string, message: string) => {
    const [, realm, number, signed = ''] = /^(\d+) (\d+) (.*)$/s.exec(message) ?? [];
    const realmId = Number(realm);
    try {
      const json = signer.verify(`ephemeral ${realmId}`, signed);
      if (json === null) return logger.error({ realmId }, 'an ephemeral event has no valid signature');
      onEphemeral(PublishedEphemeral.parse({ ...JSON.parse(json), realmId, n: Number(number) }));
    } catch (error) {
      logger.error({ err: error, realmId }, 'an ephemeral event cannot be read');
    }
  });
  const channels = Array.from({ length: partitions }, (_, partition) => keys.ephemeral(partition));
  const subscribe = () => {
    redis.subscribe(...channels).catch((error: unknown) => {
      logger.warn({ err: error }, 'cannot subscribe to ephemeral events');
    });
  };
  redis.on('ready', subscribe);
  if (redis.status === 'ready') subscribe();
  return {
    [Symbol.dispose]() {
      redis.off('ready', subscribe);
      redis.disconnect();
    },
  };
}
