import { setTimeout as sleep } from 'node:timers/promises';

import pLimit from 'p-limit';

import { createTurns } from './turns.ts';

/** A limit on costly work, shared fairly by keys, so that nobody pays for all the work of somebody else. */
export interface FairLimit<Key> {
  /**
   * Runs the work when it is its turn. Of a key, one piece of work is done at a time, and then none while it rests: for
   * three times as long as it took unless `rest` says otherwise, so that a key has at most a quarter of one place.
   */
  run<Result>(key: Key, work: () => Promise<Result>, rest?: Rest<Result>): Promise<Result>;
  /** Whether as much work waits, in all or for the key, as may wait. */
  isFull(key: Key): boolean;
  /** How many pieces of work are under way, and how many wait though nothing of their key is done. */
  counts(): { running: number; waiting: number };
}

/** How long a key rests, where what it does costs others more than the time that it takes. */
interface Rest<Result> {
  /** In parts of what the work took. */
  factor?: number;
  /** At least so many milliseconds. */
  readonly msOf?: (result: Result) => number;
}

export interface FairLimitOptions {
  /** What is done at once. */
  atOnce: number;
  /** What may wait: of all keys that have their turn, and of each key. */
  waitingMax: { all: number; ofKey: number };
  /** A clock that never goes back. */
  nowMs?: () => number;
  wait?: (ms: number) => Promise<void>;
}

export function createFairLimit<Key>({
  atOnce,
  waitingMax,
  nowMs = () => performance.now(),
  wait = (ms) => sleep(ms, undefined, { ref: false }),
}: FairLimitOptions): FairLimit<Key> {
  const limit = pLimit(atOnce);
  const turns = createTurns<Key>({ atOnce: 1, waitingMax: waitingMax.ofKey });
  return {
    counts: () => ({ running: limit.activeCount, waiting: limit.pendingCount }),
    isFull: (key) => limit.activeCount + limit.pendingCount >= atOnce + waitingMax.all || turns.isFull(key),
    async run(key, work, { factor = 3, msOf = () => 0 } = {}) {
      let restMs = 0;
      const timed = async () => {
        const startMs = nowMs();
        try {
          const result = await work();
          restMs = msOf(result);
          return result;
        } finally {
          restMs = Math.max(restMs, factor * (nowMs() - startMs));
        }
      };
      return await turns.take(
        key,
        () => limit(timed),
        () => wait(restMs),
      );
    },
  };
}
