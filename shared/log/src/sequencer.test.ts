import type { Entry } from '@parley/protocol';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { createSequencer } from './sequencer.ts';

const entryAt = (seq: number): Entry => ({ seq, audience: {}, event: { type: 'message' } });
const seqs = (entries: Entry[]) => entries.map(({ seq }) => seq);

const upTo = (start: number, count: number) => Array.from({ length: count }, (_, index) => start + 1 + index);

/** A log's entries after `start`, and the order in which carriers bring them: mixed up, some several times. */
const arrivals = fc.tuple(fc.nat(1000), fc.integer({ min: 1, max: 40 })).chain(([start, count]) =>
  fc.record({
    start: fc.constant(start),
    count: fc.constant(count),
    order: fc
      .array(fc.integer({ min: start - 3, max: start + count }), { maxLength: 60 })
      .chain((more) =>
        fc.shuffledSubarray([...more, ...upTo(start, count)], { minLength: more.length + count }),
      ),
  }),
);

test('whatever the order and however often they come, entries are passed on once each, in order', () => {
  fc.assert(
    fc.property(arrivals, ({ start, count, order }) => {
      const sequencer = createSequencer(start);
      const passed: number[] = [];
      const seen = new Set<number>();
      for (const seq of order) {
        seen.add(seq);
        passed.push(...seqs(sequencer.offer(entryAt(seq))));
        // At every moment: all that has come without a hole, and nothing past the first hole.
        let reach = start;
        while (seen.has(reach + 1)) reach += 1;
        expect(sequencer.head).toBe(reach);
        expect(passed).toEqual(upTo(start, reach - start));
        expect(sequencer.hasHole).toBe([...seen].some((one) => one > reach));
      }
      expect(passed).toEqual(upTo(start, count));
      expect(sequencer.hasHole).toBe(false);
    }),
  );
});

test('a hole holds everything back until it is filled', () => {
  const sequencer = createSequencer(10);
  expect(seqs(sequencer.offer(entryAt(13)))).toEqual([]);
  expect(seqs(sequencer.offer(entryAt(12)))).toEqual([]);
  expect([sequencer.head, sequencer.hasHole]).toEqual([10, true]);
  expect(seqs(sequencer.offer(entryAt(11)))).toEqual([11, 12, 13]);
  expect([sequencer.head, sequencer.hasHole]).toEqual([13, false]);
});

test('what was dropped behind a long hole is asked for again, not skipped', () => {
  const sequencer = createSequencer(0);
  const [last, all] = [10_050, upTo(0, 10_050)];
  for (const seq of all.slice(1)) expect(sequencer.offer(entryAt(seq))).toEqual([]);
  const first = seqs(sequencer.offer(entryAt(1)));
  expect(first).toEqual(upTo(0, first.length));
  expect(sequencer.head).toBeLessThan(last);
  const rest = all.slice(sequencer.head).flatMap((seq) => seqs(sequencer.offer(entryAt(seq))));
  expect([...first, ...rest]).toEqual(all);
});

test('ten thousand entries may wait behind a hole', () => {
  const sequencer = createSequencer(0);
  for (let seq = 2; seq <= 10_002; seq += 1) expect(sequencer.offer(entryAt(seq))).toEqual([]);
  expect(sequencer.offer(entryAt(1))).toHaveLength(10_001);
  expect([sequencer.head, sequencer.hasHole]).toEqual([10_001, false]);
});
