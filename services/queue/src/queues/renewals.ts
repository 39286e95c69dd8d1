import type { Clock, Logger } from '@parley/kit';
import { type QueueRecord, queueTimes } from '@parley/protocol';
import type { Registry, RenewedQueue } from '@parley/redis';

import type { Queue } from '../core/queue.ts';
import type { LiveQueue } from './live-queue.ts';

/** Keeps the node's queues in the registry: writes those that were polled, in batches, each about every 30 seconds. */
export interface Renewals {
  /**
   * The queue is served, and has to be written when its turn comes. If that is in a term which the registry does not know, it
   * is written at once: other nodes serve nobody in a term that this one does not vouch for.
   */
  touch(live: LiveQueue): void;
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
  /** Returns how far this node has read the log of a queue, if all cursors of the queue are of it. */
  readonly positionOf: (queue: Queue) => QueueRecord['position'];
}

const renewedEveryMs = 30_000;

export const ttlSecondsOf = ({ queue }: LiveQueue) => queue.idleSeconds + queueTimes.registrySlackSeconds;

export function createRenewals(deps: RenewalsDeps): Renewals {
  const { queues, registry, clock, logger, nodeId, positionOf } = deps;
  const touched = new Set<LiveQueue>();

  function add(live: LiveQueue): void {
    live.isTouched = true;
    touched.add(live);
  }

  /** Whether the registry does not know the term in which this node serves a queue: it vouches for no cursor of it. */
  const isBehind = ({ queue }: LiveQueue) => {
    const position = positionOf(queue);
    return position !== undefined && position.term !== queue.position?.term;
  };

  let isSoon = false;
  function touch(live: LiveQueue): void {
    if (!live.isTouched) add(live);
    if (!isBehind(live)) return;
    if (isSoon) return;
    isSoon = true;
    setImmediate(() => {
      isSoon = false;
      void renew();
    });
  }

  async function renew(): Promise<void> {
    const nowMs = clock.nowMs();
    const batch = [...touched].filter((live) => nowMs - live.renewedMs >= renewedEveryMs || isBehind(live));
    if (batch.length === 0) return;
    const known = batch.map(({ queue }) => queue.position);
    const renewed = batch.map((live) => {
      touched.delete(live);
      live.isTouched = false;
      live.renewedMs = nowMs;
      const one = renewedQueue(live, positionOf(live.queue));
      live.queue.position = one.record.position;
      return one;
    });
    try {
      for (const record of await registry.renew(renewed, nodeId)) adopt(record);
    } catch (error) {
      logger.debug({ err: error, queues: batch.length }, 'cannot renew queues; trying again');
      for (const [index, live] of batch.entries()) {
        live.queue.position = known[index];
        live.renewedMs = 0;
        if (queues.get(live.queue.id) === live) add(live);
      }
    }
  }

  /** Another node has served a queue in a history that this one has not read: its cursors are to be proved again. */
  function adopt({ id, position }: QueueRecord): void {
    const live = queues.get(id);
    if (!live) return;
    live.queue.position = position;
    live.queue.provenIn = null;
  }

  return {
    touch,
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

function renewedQueue(live: LiveQueue, position: QueueRecord['position']): RenewedQueue {
  const { ids: _, provenIn: _unsaid, position: known, ...record } = live.queue;
  return {
    record: { ...record, position: position ?? known, acknowledged: live.acknowledged },
    ttlSeconds: ttlSecondsOf(live),
    isHolder: live.isHolder,
    isVouchedFor: position !== undefined,
    knownTerm: known?.term ?? '',
  };
}
