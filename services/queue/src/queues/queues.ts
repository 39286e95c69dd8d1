import type { Clock, Logger } from '@parley/kit';
import type { QueueRecord } from '@parley/protocol';
import type { Registry } from '@parley/redis';

import { createDataLossDetector } from './data-loss-detector.ts';
import { type LiveQueue, createLiveQueue } from './live-queue.ts';
import { lookUpQueue } from './look-up-queue.ts';
import { type Positions, createRenewals, ttlSecondsOf } from './renewals.ts';

/** The queues of this node: found in memory or in the registry, renewed while they are polled, forgotten when idle. */
export interface Queues {
  find(queueId: string): LiveQueue | undefined;
  /**
   * Finds the queue in memory or in the registry; waits while other nodes may be restoring their queues.
   * @throws BAD_EVENT_QUEUE_ID, SERVER_NOT_READY
   */
  get(queueId: string): Promise<LiveQueue>;
  /** A poll of the queue begins or ends. */
  touch(live: LiveQueue): void;
  /** A poll of the queue starts to wait here. One that waits at another node is answered. */
  becomeHolder(live: LiveQueue): void;
  /** The queue's latest poll waits at another node. */
  loseHolder(queueId: string): void;
  /** Removes the queue from memory. */
  forget(queueId: string): void;
  /** Deletes the queue, on every node. */
  end(queue: Pick<QueueRecord, 'id' | 'userId'>): Promise<void>;
  /** Forgets the queues that idle. Returns the ids of the realms that still have queues here. */
  sweep(isWaiting: (queueId: string) => boolean): ReadonlySet<number>;
  /** Writes queues that were polled to the registry. */
  readonly renew: () => Promise<void>;
  /** Writes what no other node knows of queues to the registry, before this one ends. */
  finish(): Promise<void>;
  /** Restores every queue if Redis has lost its data. */
  readonly detectDataLoss: () => Promise<void>;
  /** Writes every queue of this node to the registry. */
  restoreAll(): void;
}

interface QueuesDeps {
  registry: Registry;
  clock: Clock;
  logger: Logger;
  nodeId: string;
  positions: Positions;
}

export function createQueues({ registry, clock, logger, nodeId, positions }: QueuesDeps): Queues {
  const queues = new Map<string, LiveQueue>();
  const lookups = new Map<string, Promise<LiveQueue>>();
  const renewals = createRenewals({ queues, registry, clock, logger, nodeId, positions });

  async function load(queueId: string): Promise<LiveQueue> {
    const live = createLiveQueue(await lookUpQueue(registry, clock, queueId), clock.nowMs());
    queues.set(live.queue.id, live);
    return live;
  }

  function forget(queueId: string): void {
    const live = queues.get(queueId);
    if (!live) return;
    live.isForgotten = true;
    renewals.remove(live);
    queues.delete(queueId);
  }

  const isIdle = ({ queue, seenMs }: LiveQueue) => clock.nowMs() - seenMs >= queue.idleSeconds * 1000;

  return {
    find: (queueId) => queues.get(queueId),
    get(queueId) {
      const live = queues.get(queueId);
      if (live) return Promise.resolve(live);
      const lookup = lookups.get(queueId) ?? load(queueId).finally(() => lookups.delete(queueId));
      lookups.set(queueId, lookup);
      return lookup;
    },
    touch(live) {
      live.seenMs = clock.nowMs();
      if (!live.isForgotten) renewals.touch(live);
    },
    becomeHolder(live) {
      if (live.isHolder) return;
      live.isHolder = true;
      registry.setHolder(live.queue.id, nodeId, ttlSecondsOf(live)).catch(() => {
        live.isHolder = false;
      });
    },
    loseHolder(queueId) {
      const live = queues.get(queueId);
      if (live) live.isHolder = false;
    },
    forget,
    async end(queue) {
      forget(queue.id);
      await registry.remove(queue);
    },
    sweep(isWaiting) {
      const realmIds = new Set<number>();
      const expired: QueueRecord[] = [];
      for (const live of queues.values()) {
        const { id, realmId } = live.queue;
        if (!isIdle(live) || isWaiting(id)) realmIds.add(realmId);
        else {
          forget(id);
          // A queue with another holder may be alive there.
          if (live.isHolder) expired.push(live.queue);
        }
      }
      registry
        .expire(expired, nodeId)
        .catch((error: unknown) => logger.debug({ err: error }, 'cannot expire queues'));
      return realmIds;
    },
    renew: renewals.renew,
    finish: () => renewals.finish(),
    detectDataLoss: createDataLossDetector({
      registry,
      clock,
      onDataLoss() {
        logger.warn({ queues: queues.size }, 'Redis lost its data; restoring the queues');
        renewals.restoreAll();
      },
    }),
    restoreAll: renewals.restoreAll,
  };
}
