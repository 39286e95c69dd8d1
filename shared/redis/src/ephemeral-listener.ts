import { type Logger, backoffMs, pause } from '@parley/kit';
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
  const receive = (_: string, message: string) => {
    const [, realm, number, signed = ''] = /^(\d+) (\d+) (.*)$/s.exec(message) ?? [];
    const realmId = Number(realm);
    try {
      const json = signer.verify(`ephemeral ${realmId}`, signed);
      if (json === null) return logger.error({ realmId }, 'an ephemeral event has no valid signature');
      onEphemeral(PublishedEphemeral.parse({ ...JSON.parse(json), realmId, n: Number(number) }));
    } catch (error) {
      logger.error({ err: error, realmId }, 'an ephemeral event cannot be read');
    }
  };
  redis.on('smessage', receive);
  redis.on('message', receive);
  const channels = Array.from({ length: partitions }, (_, partition) => keys.ephemeral(partition));
  const stopping = new AbortController();
  let hasWarned = false;
  const subscribe = () => {
    for (const channel of channels) void subscribeTo(channel);
    // Nodes of version 0.9 and before tell all masters.
    redis.subscribe(...channels).catch(warn);
  };
  // Afterwards the client subscribes again by itself, at whichever master has the channel by then.
  if (redis.status === 'ready') subscribe();
  else redis.once('ready', subscribe);
  return {
    [Symbol.dispose]() {
      stopping.abort();
      redis.off('ready', subscribe);
      redis.disconnect();
    },
  };

  /** Says so of the first channel: of the others it would be the same. */
  function warn(error: unknown): void {
    if (!hasWarned && !stopping.signal.aborted)
      logger.warn({ err: error }, 'cannot subscribe to ephemeral events');
    hasWarned = true;
  }

  /** Each channel by itself: those of a cluster are at several masters. */
  async function subscribeTo(channel: string): Promise<void> {
    for (let failures = 0; !stopping.signal.aborted; failures += 1) {
      try {
        await redis.ssubscribe(channel);
        return;
      } catch (error) {
        warn(error);
      }
      await pause(backoffMs(failures, { firstMs: 100, maxMs: 2000 }), stopping.signal);
    }
  }
}
