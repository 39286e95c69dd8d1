import fc from 'fast-check';
import { expect, test } from 'vitest';

import { heapBytes } from '../heap.test-support.ts';
import { entryOf, readEntry } from './fixtures.test-support.ts';
import type { ReadyEntry } from './ready-entry.ts';
import { createRingBudget } from './ring-budget.ts';
import { createRing } from './ring.ts';

const limits = { ringEntriesMax: 1000, ringBytesMax: 1e9 };
const entryAt = (seq: number) => readEntry.logged(entryOf(seq, {}, { type: 'note', n: 1 }));
const { size } = entryAt(1);

/** Rings that have memory for so many entries together. */
function openRings(count: number, entriesMax: number) {
  const released = { count: 0 };
  const budget = createRingBudget(entriesMax * size, released);
  const rings = Array.from({ length: count }, () => createRing(0, limits, '', budget));
  const append = (...numbers: number[]) => {
    for (const number of numbers) {
      const ring = rings[number];
      ring?.append([entryAt(ring.head + 1)]);
    }
  };
  return { budget, released, rings, append, kept: () => rings.map(({ kept }) => kept.entries) };
}

test('what is above the budget is taken from the ring that was not used for longest, its oldest first', () => {
  const { rings, append, kept, budget, released } = openRings(3, 5);
  append(0, 0, 1, 1, 2);
  expect(kept()).toEqual([2, 2, 1]);
  append(2);
  expect(kept()).toEqual([1, 2, 2]);
  expect([rings[0]?.floor, rings[0]?.head]).toEqual([1, 2]);
  rings[0]?.after(1);
  append(2);
  expect(kept(), 'a ring that was read is used').toEqual([1, 1, 3]);
  append(2, 2, 2, 2);
  expect(kept()).toEqual([0, 0, 5]);
  expect([budget.bytes, released.count]).toEqual([5 * size, 6]);
});

test('a ring that is empty knows where it is, and goes on from there', () => {
  const { rings, append, kept } = openRings(2, 2);
  append(0, 0, 1, 1);
  const [ring] = rings;
  expect([ring?.floor, ring?.head, ring?.after(2), ring?.termAt(2)]).toEqual([2, 2, [], '']);
  append(0);
  expect(kept()).toEqual([1, 1]);
});

test('a ring that was not used since the time before is emptied', () => {
  const { append, kept, budget } = openRings(2, 10);
  append(0, 1);
  budget.expire();
  append(1);
  budget.expire();
  expect(kept()).toEqual([0, 2]);
  budget.expire();
  expect(kept()).toEqual([0, 0]);
  expect(budget.bytes).toBe(0);
});

test('a ring that is closed gives back what it had, and counts no more', () => {
  const { rings, append, budget } = openRings(2, 10);
  const entry = entryAt(1);
  rings[0]?.append([entry]);
  append(1);
  rings[0]?.[Symbol.dispose]();
  entry.onGrowth?.(size);
  expect(budget.bytes).toBe(size);
});

/** An entry is rendered. */
function grow(entry: ReadyEntry | undefined, length: number): void {
  if (!entry) return;
  entry.size += length;
  entry.onGrowth?.(length);
}

test('the budget is what the rings hold, and is kept whatever happens', () => {
  const step = fc.record({
    ring: fc.nat(3),
    does: fc.constantFrom('append', 'append', 'append', 'read', 'grow', 'expire', 'close'),
    many: fc.integer({ min: 1, max: 8 }),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const { rings, append, budget } = openRings(4, 9);
      for (const { ring: number, does, many } of steps) {
        const ring = rings[number];
        if (does === 'append') append(...Array.from({ length: many }, () => number));
        if (does === 'read') ring?.after(ring.floor);
        if (does === 'grow') grow(ring?.after(ring.floor)[0], many);
        if (does === 'expire') budget.expire();
        if (does === 'close') {
          ring?.[Symbol.dispose]();
          rings[number] = createRing(0, limits, '', budget);
        }
        expect(budget.bytes).toBe(rings.reduce((sum, { kept }) => sum + kept.bytes, 0));
        const mayBe = does === 'append' ? budget.bytesMax : Number.POSITIVE_INFINITY;
        expect(budget.bytes).toBeLessThanOrEqual(mayBe);
      }
    }),
  );
});

test('two thousand full rings take about the memory that they have together, and stay there', () => {
  const released = { count: 0 };
  const budget = createRingBudget(8 * 1024 * 1024, released);
  const rings = Array.from({ length: 2000 }, () => createRing(0, limits, '', budget));
  const before = heapBytes();
  const fill = (count: number) => {
    for (const ring of rings) {
      for (let added = 0; added < count; added += 1) {
        // A text of its own, and not a part of one that all have.
        const text = Buffer.alloc(400, `${ring.head} ${added} `).toString('latin1');
        ring.append([readEntry.logged(entryOf(ring.head + 1, {}, { type: 'note', n: 1, text }))]);
      }
    }
    return heapBytes() - before;
  };
  const first = fill(10);
  expect(first / budget.bytesMax).toBeLessThan(1.5);
  expect(fill(10) / first).toBeLessThan(1.2);
  expect([budget.bytes <= budget.bytesMax, released.count > 25_000]).toEqual([true, true]);
});
