import { describe, expect, test } from 'vitest';

import { createEphemerals, mergeByPosition } from './ephemerals.ts';
import { ephemeralOf, noteOf, queueOf, readEntry } from './fixtures.test-support.ts';
import { type TestNode, createTestNode } from './test-node.test-support.ts';

const queue = queueOf({ userId: 10 });

/** The events that one poll is answered with; empty until it is answered. */
function poll(
  node: TestNode,
  lastEventId: number,
  { dontBlock = false, of = queue, log = [noteOf(1, [99])] } = {},
) {
  const answers: { id: number; type: string; n: number }[] = [];
  const receive = (lines: readonly string[]) => answers.push(...lines.map((line) => JSON.parse(line)));
  node.poll(log.slice(0, node.ring.head), of, lastEventId, { receive }, dontBlock ? 'returns' : 'waits');
  return answers;
}

test('an ephemeral event is delivered at once to polls that wait, and moves the cursor over no entry that was not scanned', () => {
  const node = createTestNode();
  const waiting = poll(node, -1);
  node.sync([noteOf(1, [99]), noteOf(2, [99])]);
  node.receive(ephemeralOf({ after: 1, n: 7 }));
  expect(waiting).toEqual([{ type: 'ephemeral', n: 7, id: 12 }]);
});

test('an ephemeral event is delivered within the next seconds to a client that was away, once', () => {
  const node = createTestNode();
  node.sync([noteOf(1, [10])]);
  node.receive(ephemeralOf({ after: 1, n: 7 }));
  node.nowMs = 4999;
  const [logged, ephemeral] = poll(node, -1);
  expect([logged?.type, ephemeral?.type]).toEqual(['note', 'ephemeral']);
  expect(poll(node, ephemeral?.id ?? 0, { dontBlock: true })).toEqual([]);
  expect(poll(node, logged?.id ?? 0, { dontBlock: true })).toEqual([ephemeral]);
  node.nowMs = 5000;
  expect(poll(node, logged?.id ?? 0, { dontBlock: true })).toEqual([]);
});

test('an ephemeral event waits for the log to reach its position, and is delivered between the entries there', () => {
  const node = createTestNode();
  node.sync([noteOf(1, [99])]);
  const waiting = poll(node, -1);
  node.receive(ephemeralOf({ after: 2, n: 7 }));
  expect(waiting).toEqual([]);
  node.sync([noteOf(1, [99]), noteOf(2, [10]), noteOf(3, [99])]);
  expect(waiting.map(({ type, n }) => [type, n])).toEqual([
    ['note', 2],
    ['ephemeral', 7],
  ]);
});

test('an ephemeral event is not delivered to a client that has received a later entry', () => {
  const node = createTestNode();
  node.sync([noteOf(1, [10]), noteOf(2, [10])]);
  const waiting = poll(node, 13);
  node.receive(ephemeralOf({ after: 1, n: 7 }));
  expect(waiting).toEqual([]);
});

test('an ephemeral event is not delivered to a queue that registered after it, behind the same entry', () => {
  const node = createTestNode();
  node.sync([noteOf(1, [99])]);
  const of = queueOf({ userId: 10, registeredAt: 1, ephemeralAt: 7 });
  node.receive(ephemeralOf({ after: 1, n: 7 }));
  expect(poll(node, -1, { of, dontBlock: true })).toEqual([]);
  node.receive(ephemeralOf({ after: 1, n: 8 }));
  expect(poll(node, -1, { of, dontBlock: true })).toMatchObject([{ n: 8 }]);
});

test('an ephemeral event is forgotten when there are too many', () => {
  const node = createTestNode();
  node.sync([noteOf(1, [99])]);
  for (let n = 1; n <= 1500; n += 1) node.receive(ephemeralOf({ after: 1, n }));
  expect(poll(node, -1, { dontBlock: true })[0]?.n).toBe(501);
});

test('an ephemeral event costs nothing for users whom it does not name', () => {
  const node = createTestNode();
  const tested: string[] = [];
  for (const userId of [10, 11, 12]) {
    const of = queueOf({ id: `q${userId}`, userId });
    Object.defineProperty(of, 'eventTypes', { get: () => void tested.push(of.id) });
    poll(node, -1, { of });
  }
  tested.splice(0);
  node.receive(ephemeralOf({ users: [11, 99] }));
  expect(tested).toEqual(['q11']);
});

describe('on their own', () => {
  const ephemeralAt = (n: number, after: number, users = [10]) =>
    readEntry.ephemeral(ephemeralOf({ n, after, users }));
  const numbers = (list: readonly { event: object }[]) => list.map(({ event }) => 'n' in event && event.n);

  test('those that are early come back in order, once, when the log has reached their position', () => {
    const ephemerals = createEphemerals();
    expect(ephemerals.reached(0)).toEqual([]);
    expect(ephemerals.add(ephemeralAt(1, 4), 4, 0)).toBe(true);
    expect(ephemerals.add(ephemeralAt(3, 6), 4, 0)).toBe(false);
    expect(ephemerals.add(ephemeralAt(2, 5), 4, 0)).toBe(false);
    expect(ephemerals.add(ephemeralAt(4, 7), 4, 0)).toBe(false);
    expect(numbers(ephemerals.reached(4))).toEqual([]);
    expect(numbers(ephemerals.reached(6))).toEqual([2, 3]);
    expect(numbers(ephemerals.reached(6))).toEqual([]);
    expect(numbers(ephemerals.reached(7))).toEqual([4]);
  });

  test('one that was forgotten is not delivered when the log comes to it, and the others are', () => {
    const ephemerals = createEphemerals();
    ephemerals.add(ephemeralAt(1, 5), 4, 0);
    ephemerals.add(ephemeralAt(2, 5), 4, 1000);
    expect(numbers(ephemerals.after(-1, queueOf({ userId: 10 }), 4, 5000))).toEqual([]);
    expect(numbers(ephemerals.reached(5))).toEqual([2]);
  });

  test('each user gets their own, in order, after the cursor and up to the head', () => {
    const ephemerals = createEphemerals();
    ephemerals.add(ephemeralAt(3, 6), 6, 0);
    ephemerals.add(ephemeralAt(2, 5, [10, 11]), 6, 0);
    ephemerals.add(ephemeralAt(1, 4, [11]), 6, 0);
    ephemerals.add(ephemeralAt(4, 7), 6, 0);
    expect(numbers(ephemerals.after(-1, queueOf({ userId: 10 }), 6, 0))).toEqual([2, 3]);
    expect(numbers(ephemerals.after(-1, queueOf({ userId: 11 }), 6, 0))).toEqual([1, 2]);
    const cursor = queue.ids.ephemeral({ n: 2, after: 5 });
    expect(numbers(ephemerals.after(cursor, queue, 6, 0))).toEqual([3]);
    expect(numbers(ephemerals.after(-1, queueOf({ userId: 12 }), 6, 0))).toEqual([]);
  });

  test('the oldest ephemerals of a user are forgotten one by one', () => {
    const ephemerals = createEphemerals();
    for (const [index, nowMs] of [0, 1000, 2000].entries()) ephemerals.add(ephemeralAt(index, 1), 1, nowMs);
    expect(numbers(ephemerals.after(-1, queueOf({ userId: 10 }), 1, 4999))).toEqual([0, 1, 2]);
    expect(numbers(ephemerals.after(-1, queueOf({ userId: 10 }), 1, 5000))).toEqual([1, 2]);
    expect(numbers(ephemerals.after(-1, queueOf({ userId: 10 }), 1, 6000))).toEqual([2]);
    expect(numbers(ephemerals.after(-1, queueOf({ userId: 10 }), 1, 7000))).toEqual([]);
  });

  test('they are merged with the log by their positions', () => {
    const log = [4, 5].map((seq) => readEntry.logged(noteOf(seq, [10])));
    expect(mergeByPosition(log, [])).toBe(log);
    const merged = mergeByPosition(log, [ephemeralAt(2, 4), ephemeralAt(1, 4)]);
    expect(merged.map(({ seq, ephemeralNumber }) => [seq, ephemeralNumber])).toEqual([
      [4, null],
      [4, 1],
      [4, 2],
      [5, null],
    ]);
  });
});
