import type { Clock, Logger } from '@parley/kit';
import { queueTimes } from '@parley/protocol';
import type { Registry, RenewedQueue } from '@parley/redis';

import type { LiveQueue } from './live-queue.ts';

/** Keeps the node's queues in the registry: writes those that were polled, in batches, each about every 30 seconds. */
export interface Renewals {
  /** The queue has to be written when its turn comes. */
  add(live: LiveQueue): void;
  remove(live: LiveQueue): void;
  /** Writes the queues whose turn has come. Those that cannot be written are tried again next time. */
  readonly renew: () => Promise<void>;
  /** Writes all queues of the node now. */
  readonly restoreAll: () => void;
}

interface RenewalsDeps {
  /** The queues of this node. */
  queues: ReadonlyMap<string, LiveQueue>;
  registry: Registry;
  clock: Clock;
  logger: Logger;
  nodeId: string;
}

const renewedEveryMs = 30_000;

export const ttlSecondsOf = ({ queue }: LiveQueue) => queue.idleSeconds + queueTimes.registrySlackSeconds;

export function createRenewals({ queues, registry, clock, logger, nodeId }: RenewalsDeps): Renewals {
  const touched = new Set<LiveQueue>();

  function add(live: LiveQueue): void {
    live.isTouched = true;
    touched.add(live);
  }

  async function renew(): Promise<void> {
    const nowMs = clock.nowMs();
    const batch = [...touched].filter(({ renewedMs }) => nowMs - renewedMs >= renewedEveryMs);
    if (batch.length === 0) return;
    for (const live of batch) {
      touched.delete(live);
      live.isTouched = false;
      live.renewedMs = nowMs;
    }
    try {
      await registry.renew(batch.map(renewedQueue), nodeId);
    } catch (error) {
      logger.debug({ err: error, queues: batch.length }, 'cannot renew queues; trying again');
      for (const live of batch) {
        live.renewedMs = 0;
        if (queues.get(live.queue.id) === live) add(live);
      }
    }
  }

  return {
    add,
    remove: (live) => touched.delete(live),
    renew,
    restoreAll() {
      for (const live of queues.values()) {
        live.renewedMs = 0;
        add(live);
      }
      void renew();
    },
  };
}

function renewedQueue(live: LiveQueue): RenewedQueue {
  const { ids: _, ...record } = live.queue;
  return {
    record: { ...record, acknowledged: live.acknowledged },
    ttlSeconds: ttlSecondsOf(live),
    isHolder: live.isHolder,
  };
}
