import type { Logger } from '@parley/kit';
import { PublishedEphemeral } from '@parley/protocol';
import type { Redis } from 'ioredis';

import { keys } from './keys.ts';

export interface EphemeralListener {
  onEphemeral(event: PublishedEphemeral): void;
}

/**
 * Receives every ephemeral event of every partition, through every loss of Redis: events published meanwhile are missed.
 * The listener owns the connection.
 */
export function listenForEphemerals(
  redis: Redis,
  partitions: number,
  logger: Logger,
  { onEphemeral }: EphemeralListener,
): Disposable {
  redis.on('message', (_: string, message: string) => {
    const realmId = Number.parseInt(message, 10);
    try {
      const json = message.slice(message.indexOf(' ') + 1);
      onEphemeral(PublishedEphemeral.parse({ realmId, ...JSON.parse(json) }));
    } catch (error) {
      logger.error({ err: error, realmId }, 'unreadable ephemeral event');
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
