import { createHash } from 'node:crypto';

/** Paths, as eight bytes each: what they are is forgotten, whether two of them are the same is not. */
export interface PathSums {
  add(path: string): void;
  /** Returns their sums in order. */
  sorted(): BigUint64Array;
}

const startSize = 1024;

export function createPathSums(): PathSums {
  let sums = new BigUint64Array(startSize);
  let size = 0;
  return {
    add(path) {
      if (size === sums.length) {
        const larger = new BigUint64Array(size * 2);
        larger.set(sums);
        sums = larger;
      }
      sums[size] = createHash('sha256').update(path).digest().readBigUInt64LE();
      size += 1;
    },
    sorted: () => sums.subarray(0, size).sort(),
  };
}

/** Returns what is wrong with files: one of them is there twice, or no row names it. */
export function compareFiles(files: PathSums, named: PathSums): 'twice' | 'unnamed' | null {
  const [found, expected] = [files.sorted(), named.sorted()];
  let at = 0;
  for (const [index, sum] of found.entries()) {
    if (index > 0 && found[index - 1] === sum) return 'twice';
    while (at < expected.length && (expected[at] ?? 0n) < sum) at += 1;
    if (expected[at] !== sum) return 'unnamed';
  }
  return null;
}
