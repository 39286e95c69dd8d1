import pLimit, { type LimitFunction } from 'p-limit';

/** Work that takes turns by key: for each key, so much is done at once, and the rest waits. */
export interface Turns<Key> {
  /**
   * Runs the work when its turn has come. Whoever asked has the result at once, or the error; the turn ends after `rest`,
   * which must not fail.
   */
  take<Result>(key: Key, work: () => Promise<Result>, rest?: () => Promise<void>): Promise<Result>;
  /** Whether as much work waits for the key as may wait. */
  isFull(key: Key): boolean;
}

export function createTurns<Key>({ atOnce, waitingMax }: { atOnce: number; waitingMax: number }): Turns<Key> {
  const limits = new Map<Key, LimitFunction>();
  return {
    isFull: (key) => (limits.get(key)?.pendingCount ?? 0) >= waitingMax,
    take(key, work, rest) {
      const limit = limits.get(key) ?? pLimit(atOnce);
      limits.set(key, limit);
      return new Promise((resolve, reject) => {
        const turn = limit(async () => {
          const working = work();
          if (!rest) return await working;
          working.then(resolve, reject);
          try {
            return await working;
          } finally {
            await rest();
          }
        });
        turn.then(resolve, reject).finally(() => {
          if (limit.activeCount + limit.pendingCount === 0) limits.delete(key);
        });
      });
    },
  };
}
