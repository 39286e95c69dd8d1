import { type Clock, type Logger, pause } from '@parley/kit';
import { ApiError, notReady } from '@parley/protocol';
import type { RenewedQueue, Registry } from '@parley/redis';

import { type Queue, createQueue } from '../core/queue.ts';
import { type Owner, badQueueId } from './queue-credentials.ts';

/** A queue that this node has served, until it idles or ends. */
export interface LiveQueue {
  readonly queue: Queue;
  /** When its last poll began or ended. */
  seenMs: number;
  /** When it was last written to the registry. */
  renewedMs: number;
  /** Its latest waiting poll is here, and Redis knows. */
  isHeld: boolean;
  owner: Owner | null;
  /** The header that proved the owner last. */
  proof: string | null;
  isTouched: boolean;
}

/** The queues of this node: found in memory or in the registry, renewed while they are polled, forgotten when idle. */
export interface Queues {
  find(queueId: string): LiveQueue | undefined;
  /** Refuses what no node knows; waits while other nodes may be writing their queues back. */
  get(queueId: string): Promise<LiveQueue>;
  /** A poll of the queue begins or ends. */
  touch(live: LiveQueue): void;
  /** A poll of the queue starts to wait here: one that waits at another node is answered. */
  hold(live: LiveQueue): void;
  /** The queue's latest poll waits at another node. */
  release(queueId: string): void;
  forget(queueId: string): void;
  end(queueId: string): Promise<void>;
  /** Forgets what idles; returns the realms that still have queues here. */
  sweep(): Set<number>;
  /** Writes touched queues to the registry. */
  renew(): Promise<void>;
  /** Writes every queue back if Redis has lost its memory. */
  watchMemory(): Promise<void>;
  writeAllBack(): void;
}

export interface QueuesNeeds {
  registry: Registry;
  clock: Clock;
  logger: Logger;
  nodeId: string;
  isWaiting(queueId: string): boolean;
}

/** A miss is believed once Redis has remembered for this long: other nodes have written their queues back by then. */
const settledMs = 10_000;
const missRetriedMs = 3000;
const missPauseMs = 150;
const renewedEveryMs = 30_000;
/** Renewal lags behind the poll, and a poll may wait for a minute before the next one. */
const ttlSlackSeconds = 120;
const queueIdLengthMax = 200;

export function createQueues({ registry, clock, logger, nodeId, isWaiting }: QueuesNeeds): Queues {
  const queues = new Map<string, LiveQueue>();
  const lookups = new Map<string, Promise<LiveQueue>>();
  const touched = new Set<LiveQueue>();
  let since: number | null = null;

  const isIdle = ({ queue, seenMs }: LiveQueue) =>
    clock.nowMs() - seenMs >= queue.idleSeconds * 1000 && !isWaiting(queue.id);

  function addTouched(live: LiveQueue): void {
    live.isTouched = true;
    touched.add(live);
  }

  const find = (queueId: string) => queues.get(queueId);

  function forget(queueId: string): void {
    const live = queues.get(queueId);
    if (live) touched.delete(live);
    queues.delete(queueId);
  }

  async function lookUp(queueId: string): Promise<LiveQueue> {
    if (queueId.length > queueIdLengthMax) throw badQueueId(queueId);
    const untilMs = clock.nowMs() + missRetriedMs;
    for (;;) {
      let isAway = false;
      try {
        const { record, dataLossMarkerMs: sinceMs } = await registry.lookUp(queueId);
        if (record) {
          const live = {
            queue: createQueue(record),
            seenMs: clock.nowMs(),
            // The registry has just had it: whoever wrote it there gave it time enough.
            renewedMs: clock.nowMs(),
            isHeld: false,
            owner: null,
            proof: null,
            isTouched: false,
          };
          queues.set(queueId, live);
          return live;
        }
        if (sinceMs !== null && clock.nowMs() - sinceMs >= settledMs) throw badQueueId(queueId);
      } catch (error) {
        if (error instanceof ApiError) throw error;
        isAway = true;
      }
      if (clock.nowMs() >= untilMs) throw isAway ? notReady() : badQueueId(queueId);
      await pause(missPauseMs);
    }
  }

  const toSave = ({ queue, isHeld }: LiveQueue): RenewedQueue => ({
    record: queue,
    ttlSeconds: queue.idleSeconds + ttlSlackSeconds,
    isHolder: isHeld,
  });

  async function renew(): Promise<void> {
    const now = clock.nowMs();
    const batch = [...touched].filter(({ renewedMs }) => now - renewedMs >= renewedEveryMs);
    if (batch.length === 0) return;
    for (const live of batch) {
      touched.delete(live);
      live.isTouched = false;
      live.renewedMs = now;
    }
    try {
      await registry.renew(batch.map(toSave), nodeId);
    } catch (error) {
      logger.debug({ err: error, queues: batch.length }, 'cannot renew queues; trying again');
      for (const live of batch) {
        live.renewedMs = 0;
        if (queues.get(live.queue.id) === live) addTouched(live);
      }
    }
  }

  function writeAllBack(): void {
    for (const live of queues.values()) {
      live.renewedMs = 0;
      addTouched(live);
    }
    void renew();
  }

  return {
    find,
    get(queueId) {
      const live = find(queueId);
      if (live) return Promise.resolve(live);
      const found = lookups.get(queueId) ?? lookUp(queueId).finally(() => lookups.delete(queueId));
      lookups.set(queueId, found);
      return found;
    },
    touch(live) {
      live.seenMs = clock.nowMs();
      if (!live.isTouched) addTouched(live);
    },
    hold(live) {
      if (live.isHeld) return;
      live.isHeld = true;
      registry.setHolder(live.queue.id, nodeId, live.queue.idleSeconds + ttlSlackSeconds).catch(() => {
        live.isHeld = false;
      });
    },
    release(queueId) {
      const live = queues.get(queueId);
      if (live) live.isHeld = false;
    },
    forget,
    async end(queueId) {
      forget(queueId);
      await registry.remove(queueId);
    },
    sweep() {
      const realmIds = new Set<number>();
      const expired: string[] = [];
      for (const live of queues.values()) {
        if (!isIdle(live)) realmIds.add(live.queue.realmId);
        else {
          forget(live.queue.id);
          // What another node took may be alive there.
          if (live.isHeld) expired.push(live.queue.id);
        }
      }
      registry
        .expire(expired)
        .catch((error: unknown) => logger.debug({ err: error }, 'cannot expire queues'));
      return realmIds;
    },
    renew,
    async watchMemory() {
      const now = await registry.dataLossMarker(clock.nowMs());
      if (since !== null && now !== since) {
        logger.warn({ queues: queues.size }, 'redis lost its memory; writing the queues back');
        writeAllBack();
      }
      since = now;
    },
    writeAllBack,
  };
}
