import { expect, test } from 'vitest';

import { createEphemerals } from '../core/ephemerals.ts';
import { entryOf, limits, queueOf, readEntry } from '../core/fixtures.test-support.ts';
import { createRing } from '../core/ring.ts';
import { createPositions } from './positions.ts';

/** A node whose ring has the entries 4 and 5, of the terms a and b, of a log that is longer. */
function openPositions() {
  const ring = createRing(3, limits, 'a');
  const entryAt = (seq: number, term: string) =>
    readEntry.logged({ ...entryOf(seq, {}, { type: 'note', n: seq }), term });
  ring.append([entryAt(4, 'a'), entryAt(5, 'b')]);
  const queue = queueOf({ id: 'q', userId: 10 });
  const realm = { id: queue.realmId, epoch: queue.epoch, ring, ephemerals: createEphemerals() };
  const positions = createPositions({
    realms: { find: (id) => (id === realm.id ? realm : undefined) },
    readTerm: (_, seq) => Promise.resolve(seq < 3 ? 'a' : 'of another history'),
  });
  return { positions, queue, ring };
}

test('the position of a queue is the last one to which its cursors are known to be of the log', () => {
  const { positions, queue, ring } = openPositions();
  expect(positions.of(queue)).toBeUndefined();
  queue.proveTo(5, 'b', ring.history);
  expect(positions.of(queue)).toEqual({ seq: 5, term: 'b' });
  queue.proveTo(4, 'a', ring.history);
  expect(positions.of(queue), 'an older cursor').toEqual({ seq: 5, term: 'b' });
  queue.proveTo(4, 'a', {});
  expect(positions.of(queue)).toBeUndefined();
  queue.proveTo(2, 'a', ring.history);
  expect(positions.of(queue), 'below the ring').toEqual({ seq: 2, term: 'a' });
  queue.proveTo(4, undefined, ring.history);
  expect(positions.of(queue), 'of a term that nobody knows').toBeUndefined();
});

test('what was read goes through a position of its own terms up to its head, in memory or not', async () => {
  const { positions, queue } = openPositions();
  const includes = (seq: number, term: string) => positions.includes(queue, { seq, term });
  expect([await includes(5, 'b'), await includes(4, 'a'), await includes(2, 'a')]).toEqual([
    true,
    true,
    true,
  ]);
  expect([await includes(5, 'a'), await includes(2, 'b')], 'another term').toEqual([false, false]);
  expect(await includes(6, 'of another history'), 'behind the head').toBe(false);
  const stranger = queueOf({ id: 'q', userId: 10, realmId: queue.realmId + 1 });
  expect(await positions.includes(stranger, { seq: 4, term: 'a' }), 'not followed').toBe(false);
});
