import type { ControlListener } from '@parley/redis';

import type { Queues } from './queues.ts';

/**
 * Handles what other nodes do with the queues of this node: one becomes the holder, or deletes the queue. Either way
 * the poll that waits here is answered by `displace`.
 */
export function queueControl(
  queues: Pick<Queues, 'loseHolder' | 'forget' | 'restoreAll'>,
  displace: (queueId: string) => void,
): ControlListener {
  return {
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
  };
}
