import type { Logger } from '@parley/kit';
import { type Redis, listenForControl } from '@parley/redis';

import type { Queues } from './queues.ts';

/** Follows what other nodes do with the queues of this node: one becomes the holder, or deletes the queue. */
export function followQueueControl(deps: QueueControlDeps): Disposable {
  const { redis, nodeId, logger, queues, displace } = deps;
  return listenForControl(redis, nodeId, logger, {
    onTaken(queueId) {
      queues.loseHolder(queueId);
      displace(queueId);
    },
    onEnded(queueId) {
      queues.forget(queueId);
      displace(queueId);
    },
    // While the connection was away, Redis may have lost its data.
    onListening: queues.restoreAll,
  });
}

interface QueueControlDeps {
  redis: Redis;
  nodeId: string;
  logger: Logger;
  queues: Queues;
  /** Answers the queue's poll that waits here, if one does. */
  displace(queueId: string): void;
}
