/** What snapshots have read, by what it is of. */
const readBy = new WeakMap<object, Map<string, Promise<unknown>>>();

/** Says that a transaction reads from one snapshot and writes nothing. */
export const beginSnapshot = (tx: object): void => void readBy.set(tx, new Map());

/**
 * Reads once in a snapshot, for which nothing changes any more, and each time in any other transaction. `key` says what is
 * read, and of whom, for everybody who reads with this transaction.
 */
export function readOnce<Result>(tx: object, key: string, read: () => Promise<Result>): Promise<Result> {
  const known = readBy.get(tx);
  // Safe: whoever has this key reads the same.
  const before = known?.get(key) as Promise<Result> | undefined;
  if (before) return before;
  const reading = read();
  known?.set(key, reading);
  return reading;
}
