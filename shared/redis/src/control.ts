import type { Logger } from '@parley/kit';
import type { Redis } from 'ioredis';

import { keys } from './keys.ts';

export interface ControlListener {
  /** Another node took the queue over: the poll that waits here is to be answered. */
  onTaken(queueId: string): void;
  /** The queue was deleted. */
  onEnded(queueId: string): void;
  /** The connection is up, for the first time or again: what was said meanwhile was missed. */
  onListening(): void;
}

/**
 * Hears what nodes tell each other about queues, through every loss of Redis. Best effort: what is missed costs a
 * second waiting poll or a deleted queue that still answers, until either times out. Owns the connection.
 */
export function listenForControl(
  redis: Redis,
  nodeId: string,
  logger: Logger,
  { onTaken, onEnded, onListening }: ControlListener,
): Disposable {
  const taken = keys.queuesTaken(nodeId);

  redis.on('message', (channel: string, queueId: string) => {
    if (channel === taken) onTaken(queueId);
    else if (channel === keys.queuesEnded) onEnded(queueId);
  });

  const subscribe = () => {
    redis.subscribe(taken, keys.queuesEnded).then(onListening, (error: unknown) => {
      logger.warn({ err: error }, 'cannot hear the other queue nodes');
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
