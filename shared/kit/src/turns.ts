import pLimit, { type LimitFunction } from 'p-limit';

/** Work that takes turns by key: for each key, so much is done at once, and the rest waits. */
export interface Turns<Key> {
  /** Runs the work when its turn has come. */
  take<Result>(key: Key, work: () => Promise<Result>): Promise<Result>;
  /** Whether as much work waits for the key as may wait. */
  isFull(key: Key): boolean;
}

export function createTurns<Key>({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }): Turns<Key> {
  const limits = new Map<Key, LimitFunction>();
  return {
    isFull: (key) => (limits.get(key)?.pendingCount ?? 0) >= waitingMax,
    async take(key, work) {
      const limit = limits.get(key) ?? pLimit(atOnce);
      limits.set(key, limit);
      try {
        return await limit(work);
      } finally {
        if (limit.activeCount + limit.pendingCount === 0) limits.delete(key);
      }
    },
  };
}
