import type { Entry } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { createSequencer } from './sequencer.ts';

const entryAt = (seq: number): Entry => ({ seq, audience: {}, event: { type: 'message' } });
const sequencerAt = (seq: number) => createSequencer({ seq, term: '', epoch: '' }, () => undefined);
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
      const sequencer = sequencerAt(start);
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
  const sequencer = sequencerAt(10);
  expect(seqs(sequencer.offer(entryAt(13)))).toEqual([]);
  expect(seqs(sequencer.offer(entryAt(12)))).toEqual([]);
  expect([sequencer.head, sequencer.hasHole]).toEqual([10, true]);
  expect(seqs(sequencer.offer(entryAt(11)))).toEqual([11, 12, 13]);
  expect([sequencer.head, sequencer.hasHole]).toEqual([13, false]);
});

test('what was dropped behind a long hole is asked for again, not skipped', () => {
  const sequencer = sequencerAt(0);
  const [last, all] = [10_050, upTo(0, 10_050)];
  for (const seq of all.slice(1)) expect(sequencer.offer(entryAt(seq))).toEqual([]);
  const first = seqs(sequencer.offer(entryAt(1)));
  expect(first).toEqual(upTo(0, first.length));
  expect(sequencer.head).toBeLessThan(last);
  const rest = all.slice(sequencer.head).flatMap((seq) => seqs(sequencer.offer(entryAt(seq))));
  expect([...first, ...rest]).toEqual(all);
});

test('ten thousand entries may wait behind a hole', () => {
  const sequencer = sequencerAt(0);
  for (let seq = 2; seq <= 10_002; seq += 1) expect(sequencer.offer(entryAt(seq))).toEqual([]);
  expect(sequencer.offer(entryAt(1))).toHaveLength(10_001);
  expect([sequencer.head, sequencer.hasHole]).toEqual([10_001, false]);
});

describe('entries of several terms', () => {
  const inTerm = (seq: number, term: string, previousTerm?: string): Entry => ({
    ...entryAt(seq),
    term: `epoch678${term}`,
    ...(previousTerm !== undefined && { previousTerm: `epoch678${previousTerm}` }),
  });

  /** A sequencer at entry 10, which server a has written. */
  function atTen() {
    const strangers: string[] = [];
    const sequencer = createSequencer(
      { seq: 10, term: 'epoch678a', epoch: 'epoch678-1' },
      ({ seq, term = '' }) => void strangers.push(`${seq}${term.slice(8)}`),
    );
    return { strangers, offer: (entry: Entry) => seqs(sequencer.offer(entry)), sequencer };
  }

  test('follow each other where one says that the other was before it', () => {
    const { offer, strangers, sequencer } = atTen();
    expect([offer(inTerm(11, 'a')), offer(inTerm(12, 'b', 'a')), offer(inTerm(13, 'b'))]).toEqual([
      [11],
      [12],
      [13],
    ]);
    expect([sequencer.term, strangers]).toEqual(['epoch678b', []]);
  });

  test('go on in one that had ended, which follows the one that came between', () => {
    const { offer, strangers, sequencer } = atTen();
    const entries = [
      inTerm(11, 'a'),
      inTerm(12, 'b', 'a'),
      inTerm(13, 'a', 'b'),
      inTerm(14, 'a'),
      inTerm(15, 'b', 'a'),
      inTerm(16, 'b'),
      inTerm(17, 'a', 'b'),
    ];
    expect(entries.map(offer)).toEqual([[11], [12], [13], [14], [15], [16], [17]]);
    expect([sequencer.term, strangers]).toEqual(['epoch678a', []]);
    // All of them come again, and more of the one that goes on, in any order.
    expect([...entries.flatMap(offer), ...strangers]).toEqual([]);
    expect([offer(inTerm(19, 'a')), offer(inTerm(18, 'a')), strangers]).toEqual([[], [18, 19], []]);
  });

  test('do not go on, once they have ended, in what does not follow the present one', () => {
    const { offer, strangers } = atTen();
    offer(inTerm(11, 'b', 'a'));
    expect([inTerm(12, 'a'), inTerm(12, 'a', 'c'), inTerm(13, 'a'), inTerm(11, 'a')].flatMap(offer)).toEqual(
      [],
    );
    expect(strangers).toEqual(['12a', '12a', '13a', '11a']);
    expect(offer(inTerm(12, 'b'))).toEqual([12]);
  });

  test('are not mixed where the number is right and the history is another', () => {
    const { offer, strangers } = atTen();
    expect([offer(inTerm(11, 'b')), offer(inTerm(11, 'b', 'c'))]).toEqual([[], []]);
    expect(strangers).toEqual(['11b', '11b']);
    expect(offer(inTerm(11, 'a'))).toEqual([11]);
  });

  test('are not mixed behind a hole', () => {
    const { offer, strangers, sequencer } = atTen();
    expect([offer(inTerm(12, 'b')), sequencer.lastWaiting]).toEqual([[], { seq: 12, term: 'epoch678b' }]);
    expect(offer(inTerm(11, 'a'))).toEqual([11]);
    expect(strangers).toEqual(['12b']);
  });

  test('come late without being strangers, as long as they were passed on', () => {
    const { offer, strangers } = atTen();
    offer(inTerm(11, 'b', 'a'));
    offer(inTerm(12, 'b'));
    expect([inTerm(9, 'a'), inTerm(10, 'a'), inTerm(11, 'b', 'a')].flatMap(offer)).toEqual([]);
    expect(strangers).toEqual([]);
    // What the first server wrote behind its last entry that is in the log is lost, whatever number it has.
    expect([inTerm(11, 'a'), inTerm(13, 'a'), inTerm(20, 'a')].flatMap(offer)).toEqual([]);
    expect(strangers).toEqual(['11a', '13a', '20a']);
    // So is what another server wrote of which nothing was passed on.
    expect([offer(inTerm(12, 'c')), strangers.at(-1)]).toEqual([[], '12c']);
  });

  test('are none of an epoch that has ended', () => {
    const { offer, strangers } = atTen();
    expect(offer({ ...entryAt(11), term: 'epoch000a', previousTerm: 'epoch678a' })).toEqual([]);
    expect(strangers).toEqual(['11a']);
  });
});
