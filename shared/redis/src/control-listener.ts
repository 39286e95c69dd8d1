import type { Logger } from '@parley/kit';
import type { Redis } from 'ioredis';

import { keys } from './keys.ts';

export interface ControlListener {
  /** Another node became the queue's holder: the poll that waits here has to be answered. */
  readonly onTaken: (queueId: string) => void;
  /** The queue was deleted. */
  readonly onEnded: (queueId: string) => void;
  /** The connection is up, for the first time or again: messages sent before are missed. */
  readonly onListening: () => void;
}

/**
 * Receives the messages that nodes send each other about queues, through every loss of Redis. Delivery is best effort: a
 * missed message costs a second waiting poll, or a deleted queue that still answers, until either times out. The listener
 * owns the connection.
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
      logger.warn({ err: error }, 'cannot subscribe to the messages of other queue nodes');
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
