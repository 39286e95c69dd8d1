import { RoaringBitmap32, roaringLibraryInitialize } from 'roaring-wasm';

await roaringLibraryInitialize();

/** A set of ids below 2^53 that takes two bytes for each of them, or less. Whoever makes it disposes of it. */
export interface IdSet extends Disposable {
  readonly size: number;
  /** Adds an id. Returns whether it was new. */
  add(id: number): boolean;
  remove(id: number): void;
  has(id: number): boolean;
  /** Returns how many of its ids are this one or smaller. */
  rank(id: number): number;
}

/** A bitmap takes ids of 32 bits. */
const perBitmap = 2 ** 32;

export function createIdSet(): IdSet {
  /** Bitmaps by the upper bits of their ids. */
  const bitmaps = new Map<number, RoaringBitmap32>();
  const upper = (id: number) => Math.floor(id / perBitmap);

  function bitmapFor(id: number): RoaringBitmap32 {
    const found = bitmaps.get(upper(id));
    if (found) return found;
    const made = new RoaringBitmap32();
    bitmaps.set(upper(id), made);
    return made;
  }

  return {
    get size() {
      return [...bitmaps.values()].reduce((sum, { size }) => sum + size, 0);
    },
    add: (id) => bitmapFor(id).tryAdd(id % perBitmap),
    remove: (id) => {
      bitmaps.get(upper(id))?.remove(id % perBitmap);
    },
    has: (id) => bitmaps.get(upper(id))?.has(id % perBitmap) === true,
    rank(id) {
      let count = 0;
      for (const [high, bitmap] of bitmaps) {
        if (high < upper(id)) count += bitmap.size;
        else if (high === upper(id)) count += bitmap.rank(id % perBitmap);
      }
      return count;
    },
    [Symbol.dispose]() {
      for (const bitmap of bitmaps.values()) bitmap.dispose();
      bitmaps.clear();
    },
  };
}
