import { ID_STEP } from '@parley/protocol';
import { expect, test } from 'vitest';

import { type Node, createNode, entryOf, queueOf, whisperOf } from './test-node.test-support.ts';

const queue = queueOf({ userId: 10 });
const note = (seq: number, users: number[]) => entryOf(seq, { users }, { type: 'note', n: seq });

/** What one question is answered with, once it is; until then nothing. */
function ask(node: Node, lastEventId: number, { dontBlock = false, of = queue, log = [note(1, [99])] } = {}) {
  const answers: { id: number; type: string; n: number }[] = [];
  const receive = (lines: readonly string[]) => answers.push(...lines.map((line) => JSON.parse(line)));
  node.ask(log.slice(0, node.ring.head), of, lastEventId, { receive }, dontBlock);
  return answers;
}

test('is heard at once by who waits, and moves the cursor over no entry that was not scanned', () => {
  const node = createNode();
  const waiting = ask(node, -1);
  node.sync([note(1, [99]), note(2, [99])]);
  node.overhear(whisperOf({ after: 1, n: 7 }));
  expect(waiting).toEqual([{ type: 'whisper', n: 7, id: 1.5 * ID_STEP + 7 }]);
});

test('is heard within the next seconds by who was away, once', () => {
  const node = createNode();
  node.sync([note(1, [10])]);
  node.overhear(whisperOf({ after: 1, n: 7 }));
  node.nowMs = 4999;
  const [logged, whisper] = ask(node, -1);
  expect([logged?.type, whisper?.type]).toEqual(['note', 'whisper']);
  expect(ask(node, whisper?.id ?? 0, { dontBlock: true })).toEqual([]);
  expect(ask(node, logged?.id ?? 0, { dontBlock: true })).toEqual([whisper]);
  node.nowMs = 5000;
  expect(ask(node, logged?.id ?? 0, { dontBlock: true })).toEqual([]);
});

test('waits for the log to come to its place, and is heard between the entries there', () => {
  const node = createNode();
  node.sync([note(1, [99])]);
  const waiting = ask(node, -1);
  node.overhear(whisperOf({ after: 2, n: 7 }));
  expect(waiting).toEqual([]);
  node.sync([note(1, [99]), note(2, [10]), note(3, [99])]);
  expect(waiting.map(({ type, n }) => [type, n])).toEqual([
    ['note', 2],
    ['whisper', 7],
  ]);
});

test('is not heard by who has heard a later entry', () => {
  const node = createNode();
  node.sync([note(1, [10]), note(2, [10])]);
  const waiting = ask(node, 2 * ID_STEP);
  node.overhear(whisperOf({ after: 1, n: 7 }));
  expect(waiting).toEqual([]);
});

test('is not heard by who registered after it, behind the same entry', () => {
  const node = createNode();
  node.sync([note(1, [99])]);
  const of = queueOf({ userId: 10, registeredAt: 1, ephemeralAt: 7 });
  node.overhear(whisperOf({ after: 1, n: 7 }));
  expect(ask(node, -1, { of, dontBlock: true })).toEqual([]);
  node.overhear(whisperOf({ after: 1, n: 8 }));
  expect(ask(node, -1, { of, dontBlock: true })).toMatchObject([{ n: 8 }]);
});

test('is forgotten when there are too many', () => {
  const node = createNode();
  node.sync([note(1, [99])]);
  for (let n = 1; n <= 1500; n += 1) node.overhear(whisperOf({ after: 1, n }));
  expect(ask(node, -1, { dontBlock: true })[0]?.n).toBe(501);
});

test('costs nothing to those whom it does not name', () => {
  const node = createNode();
  const asked: string[] = [];
  for (const userId of [10, 11, 12]) {
    const of = queueOf({ id: `q${userId}`, userId });
    Object.defineProperty(of, 'eventTypes', { get: () => void asked.push(of.id) });
    ask(node, -1, { of });
  }
  asked.splice(0);
  node.overhear(whisperOf({ users: [11, 99] }));
  expect(asked).toEqual(['q11']);
});
