import { type Clock, pause } from '@parley/kit';
import { ApiError, type QueueRecord, notReady } from '@parley/protocol';
import type { Registry } from '@parley/redis';

import { badQueueId } from '../core/bad-queue-id.ts';

/** A miss is believed once Redis has kept its data for this long: other nodes have restored their queues by then. */
const restoredMs = 10_000;
const missRetriedMs = 3000;
const missPauseMs = 150;
const queueIdLengthMax = 200;

/**
 * Looks a queue up in the registry. After a loss of data it asks again for up to three seconds, while other nodes restore
 * their queues.
 * @throws BAD_EVENT_QUEUE_ID when no node knows the queue, SERVER_NOT_READY when Redis is away
 */
export async function lookUpQueue(registry: Registry, clock: Clock, queueId: string): Promise<QueueRecord> {
  if (queueId.length > queueIdLengthMax) throw badQueueId(queueId);
  const untilMs = clock.nowMs() + missRetriedMs;
  for (;;) {
    let isAway = false;
    try {
      const { record, dataLossMarkerMs } = await registry.lookUp(queueId);
      if (record) return record;
      if (dataLossMarkerMs !== null && clock.nowMs() - dataLossMarkerMs >= restoredMs) {
        throw badQueueId(queueId);
      }
    } catch (error) {
      if (error instanceof ApiError) throw error;
      isAway = true;
    }
    if (clock.nowMs() >= untilMs) throw isAway ? notReady('redis') : badQueueId(queueId);
    await pause(missPauseMs);
  }
}
