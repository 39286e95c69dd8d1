import { type Clock, type Logger, pause } from '@parley/kit';
import { type QueueRecord, queueTimes } from '@parley/protocol';
import type { Registry, RenewedQueue } from '@parley/redis';

import type { Queue } from '../core/queue.ts';
import { type TimerWheel, createTimerWheel } from '../core/timer-wheel.ts';
import { type LiveQueue, renewedEveryMs } from './live-queue.ts';

/** Keeps the node's queues in the registry: writes those that were polled, in batches, each about every two minutes. */
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
  /** Writes what this node alone knows before it ends: it tries for about two seconds, and logs what Redis did not take. */
  finish(): Promise<void>;
}

type KnownPosition = NonNullable<Queue['position']>;

/** What this node has read of the logs of queues. */
export interface Positions {
  /** Returns how far this node has read the log of a queue, if all cursors of the queue are of it. */
  of(queue: Queue): KnownPosition | undefined;
  /** Whether what this node has read of a queue's log goes through a position. Rejects when Postgres is away. */
  includes(queue: Queue, position: KnownPosition): Promise<boolean>;
}

interface RenewalsDeps {
  /** The queues of this node. */
  queues: ReadonlyMap<string, LiveQueue>;
  registry: Registry;
  clock: Clock;
  logger: Logger;
  nodeId: string;
  positions: Positions;
}

/** A turn of the wheel is longer than the time between renewals. */
const wheel = { bucketMs: 1000, buckets: queueTimes.renewedEverySeconds + 8 };
const finishTriesMax = 12;
const finishPauseMs = 150;
/** What a node says that ends before Redis has taken what it alone knows. */
export const unsaidWarning =
  'Redis did not answer before this node ended; clients of these queues may have to register again';

export const ttlSecondsOf = ({ queue }: LiveQueue) => queue.idleSeconds + queueTimes.registrySlackSeconds;

export const createRenewals = (deps: RenewalsDeps): Renewals => new QueueRenewals(deps);

class QueueRenewals implements Renewals {
  private readonly deps: RenewalsDeps;
  /** The queues that were polled, by the time at which they are due: a node that has thousands looks at those alone. */
  private readonly touched: TimerWheel<LiveQueue>;
  private isSoon = false;
  /** What is being written. */
  private readonly writing = new Set<Promise<void>>();

  constructor(deps: RenewalsDeps) {
    this.deps = deps;
    this.touched = createTimerWheel(deps.clock.nowMs(), wheel.bucketMs, wheel.buckets);
  }

  touch(live: LiveQueue): void {
    if (this.isBehind(live)) {
      this.addAt(live, 0);
      this.renewSoon();
    } else if (!live.isTouched) this.addAt(live, live.dueMs);
  }

  remove(live: LiveQueue): void {
    this.touched.remove(live);
  }

  readonly renew = async (): Promise<void> => {
    const writing = this.write();
    this.writing.add(writing);
    await writing;
    this.writing.delete(writing);
  };

  async finish(): Promise<void> {
    for (let tries = 1; tries <= finishTriesMax; tries += 1) {
      await Promise.all(this.writing);
      for (const live of this.unsaid()) this.addAt(live, 0);
      await this.renew();
      if (this.unsaid().length === 0) return;
      await pause(finishPauseMs);
    }
    this.deps.logger.warn({ queues: this.unsaid().length }, unsaidWarning);
  }

  /** The queues that this node has served in a term of which the registry does not know. */
  private unsaid(): LiveQueue[] {
    return [...this.deps.queues.values()].filter((live) => live.isTouched && this.isBehind(live));
  }

  private async write(): Promise<void> {
    const { queues, registry, clock, logger, nodeId, positions } = this.deps;
    const nowMs = clock.nowMs();
    const batch = this.touched.due(nowMs);
    if (batch.length === 0) return;
    const known = batch.map(({ queue }) => queue.position);
    const renewed = batch.map((live) => {
      live.isTouched = false;
      live.dueMs = nowMs + renewedEveryMs;
      const one = renewedQueue(live, positions.of(live.queue));
      live.queue.position = one.record.position;
      return one;
    });
    try {
      for (const record of await registry.renew(renewed, nodeId)) void this.adopt(record);
    } catch (error) {
      logger.debug({ err: error, queues: batch.length }, 'cannot renew queues; trying again');
      for (const [index, live] of batch.entries()) {
        live.queue.position = known[index];
        if (queues.get(live.queue.id) === live) this.addAt(live, 0);
      }
    }
  }

  readonly restoreAll = (): void => {
    for (const live of this.deps.queues.values()) this.addAt(live, 0);
    void this.renew();
  };

  private addAt(live: LiveQueue, dueMs: number): void {
    if (live.isTouched) this.touched.remove(live);
    live.isTouched = true;
    live.dueMs = dueMs;
    this.touched.add(live);
  }

  /** Whether the registry does not know the term in which this node serves a queue: it vouches for no cursor of it. */
  private isBehind({ queue }: LiveQueue): boolean {
    const position = this.deps.positions.of(queue);
    return position !== undefined && position.term !== queue.position?.term;
  }

  private renewSoon(): void {
    if (this.isSoon) return;
    this.isSoon = true;
    setImmediate(() => {
      this.isSoon = false;
      void this.renew();
    });
  }

  /**
   * Another node has served a queue in a term that this one did not know of. If what this node has read goes through the position
   * that stands there, it has served the queue beyond, and says so; else its cursors are to be proved again.
   */
  private async adopt({ id, position }: QueueRecord): Promise<void> {
    const live = this.deps.queues.get(id);
    if (!live || !position) return;
    const { queue } = live;
    const { provenIn } = queue;
    queue.position = position;
    queue.provenIn = null;
    const isIncluded = await this.deps.positions.includes(queue, position).catch(() => false);
    if (!isIncluded || queue.position !== position || live.isForgotten) return;
    queue.provenIn = provenIn;
    if (provenIn) queue.proveTo(position.seq, position.term, provenIn);
    this.addAt(live, 0);
    this.renewSoon();
  }
}

function renewedQueue(live: LiveQueue, position: QueueRecord['position']): RenewedQueue {
  const known = live.queue.position;
  return {
    record: live.queue.record(position ?? known, live.acknowledged),
    ttlSeconds: ttlSecondsOf(live),
    isHolder: live.isHolder,
    isVouchedFor: position !== undefined,
    knownTerm: known?.term ?? '',
  };
}
