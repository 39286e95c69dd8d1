import { expect, test } from 'vitest';

import { heapBytes } from '../heap.test-support.ts';
import { entryOf, readEntry } from './fixtures.test-support.ts';
import { createRing } from './ring.ts';

const entries = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, index) =>
    readEntry.logged(entryOf(from + index, {}, { type: 'note', n: 1 })),
  );
const size = entries(1, 1)[0]?.size ?? 0;
const seqs = (log: Iterable<{ seq: number }>) => [...log].map(({ seq }) => seq);

test('Q8: the ring keeps the newest entries within its limits, and never answers from below its floor', () => {
  const ring = createRing(10, { ringEntriesMax: 100, ringBytesMax: 1e6 });
  for (let seq = 11; seq <= 1000; seq += 10) ring.append(entries(seq, seq + 9));
  expect([ring.floor, ring.head]).toEqual([900, 1000]);
  expect(seqs(ring.after(900))).toHaveLength(100);
  expect(seqs(ring.after(997))).toEqual([998, 999, 1000]);
  expect(seqs(ring.after(1000))).toEqual([]);
  expect(() => seqs(ring.after(899))).toThrow('not in memory');
});

test('the ring is bounded by bytes as well', () => {
  const ring = createRing(0, { ringEntriesMax: 1000, ringBytesMax: 11 * size - 1 });
  ring.append(entries(1, 50));
  expect(ring.head - ring.floor).toBe(10);
});

test('the ring counts what its entries grow by: the oldest leave with the next append', () => {
  const ring = createRing(0, { ringEntriesMax: 1000, ringBytesMax: 11 * size - 1 });
  const run = entries(1, 9);
  ring.append(run);
  run[8]?.onGrowth?.(5 * size - 1);
  expect(ring.floor).toBe(0);
  ring.append(entries(10, 10));
  expect([ring.floor, ring.head]).toEqual([4, 10]);
  // What has left the ring does not count any more.
  expect(run[0]?.onGrowth).toBeNull();
});

test('the ring refuses a hole in the log', () => {
  const ring = createRing(5, { ringEntriesMax: 10, ringBytesMax: 1e6 });
  expect(() => ring.append(entries(7, 7))).toThrow('does not follow');
});

test('a limit is what fits, one entry always', () => {
  const bytes = (ringBytesMax: number) => {
    const ring = createRing(0, { ringEntriesMax: 1000, ringBytesMax });
    ring.append(entries(1, 5));
    return ring.head - ring.floor;
  };
  expect([bytes(3 * size), bytes(3 * size - 1), bytes(1)]).toEqual([3, 2, 1]);
});

test('the ring says how much it keeps', () => {
  const ring = createRing(0, { ringEntriesMax: 2, ringBytesMax: 1e6 });
  expect(ring.kept).toEqual({ entries: 0, bytes: 0 });
  const run = entries(1, 3);
  ring.append(run);
  expect(ring.kept).toEqual({ entries: 2, bytes: 2 * size });
  run[2]?.onGrowth?.(100);
  expect(ring.kept).toEqual({ entries: 2, bytes: 2 * size + 100 });
});

test('what stays in the ring goes on to be counted', () => {
  const ring = createRing(0, { ringEntriesMax: 2, ringBytesMax: 11 * size - 1 });
  const run = entries(1, 3);
  ring.append(run);
  expect(run.map(({ onGrowth }) => onGrowth === null)).toEqual([true, false, false]);
});

test('a ring knows the term of each number from its floor to its head, and of no other', () => {
  const inTerm = (seq: number, term: string) =>
    readEntry.logged({ ...entryOf(seq, {}, { type: 'note', n: 1 }), term });
  const ring = createRing(3, { ringEntriesMax: 3, ringBytesMax: 1e9 }, 'a');
  expect([2, 3, 4].map((seq) => ring.termAt(seq))).toEqual([null, 'a', null]);
  ring.append([inTerm(4, 'a'), inTerm(5, 'b'), inTerm(6, 'b')]);
  expect([3, 4, 5, 6, 7].map((seq) => ring.termAt(seq))).toEqual(['a', 'a', 'b', 'b', null]);
  ring.append([inTerm(7, 'c'), inTerm(8, 'c')]);
  expect([4, 5, 6, 7, 8].map((seq) => ring.termAt(seq))).toEqual([null, 'b', 'b', 'c', 'c']);
  expect(ring.term).toBe('c');
});

test('an entry leaves memory when the ring drops it', async () => {
  const ring = createRing(0, { ringEntriesMax: 60, ringBytesMax: 1e6 });
  ring.append(entries(1, 60));
  const oldest = new WeakRef(ring.after(0)[0] ?? {});
  ring.append(entries(61, 61));
  // What is referred to weakly stays to the end of a turn.
  await new Promise((resolve) => setImmediate(resolve));
  heapBytes();
  expect([ring.floor, oldest.deref()]).toEqual([1, undefined]);
});
