import { RoaringBitmap32, roaringLibraryInitialize } from 'roaring-wasm';

await roaringLibraryInitialize();

/** A set of ids that takes two bytes for each of them, or less. Whoever makes it disposes of it. */
export interface IdSet extends Disposable {
  readonly size: number;
  /** Adds an id. Returns whether it was new. */
  add(id: number): boolean;
  remove(id: number): void;
  has(id: number): boolean;
  /** Returns how many of its ids are this one or smaller. */
  rank(id: number): number;
}

export function createIdSet(): IdSet {
  const bitmap = new RoaringBitmap32();
  return {
    get size() {
      return bitmap.size;
    },
    add: (id) => bitmap.tryAdd(id),
    remove: (id) => {
      bitmap.remove(id);
    },
    has: (id) => bitmap.has(id),
    rank: (id) => (id < 0 ? 0 : bitmap.rank(id)),
    [Symbol.dispose]: () => bitmap.dispose(),
  };
}
