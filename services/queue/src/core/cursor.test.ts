import { describe, expect, test } from 'vitest';

import { heartbeatId, readsAfter, requiredHead } from './cursor.ts';
import { idOf } from './expected-events.test-support.ts';
import { queueOf } from './fixtures.test-support.ts';

describe.each(['dense', 'wide'] as const)('with %s ids', (idForm) => {
  const queue = queueOf({ registeredAt: 5, idForm });
  const id = (seq: number, sub = 0) => idOf(queue, seq, sub);
  /** The first id behind all events of an entry. */
  const behind = (seq: number) => id(seq, idForm === 'wide' ? 500_000 : 3);

  test.each([
    ['nothing acknowledged yet', -1, 5],
    ['less than anything', -1000, 5],
    ['an entry before the registration', id(4), 5],
    ['the entry of the registration', behind(5), 5],
    ['an event of an entry, which may become more', id(7), 6],
    ['the last possible event of an entry', behind(7) - 1, 6],
    ['what is behind all events of an entry', behind(7), 7],
    ['the last id of an entry', id(8) - 1, 7],
  ])('a cursor at %s, %i, reads the log after %i', (_, lastEventId, expected) => {
    expect(readsAfter(queue, lastEventId)).toBe(expected);
  });

  test.each([
    ['nothing acknowledged yet', -1, 5],
    ['an entry before the registration', id(4), 5],
    ['an event of an entry', id(7), 7],
    ['the last id of an entry', id(8) - 1, 7],
    ['the id after that', id(8), 8],
  ])('a cursor at %s needs the log to have reached its position', (_, lastEventId, expected) => {
    expect(requiredHead(queue, lastEventId)).toBe(expected);
  });

  test('a heartbeat lies behind the head, and behind the cursor', () => {
    expect(heartbeatId(queue, 7, id(6))).toBe(behind(7));
    expect(heartbeatId(queue, 7, behind(7))).toBe(behind(7) + 1);
  });

  test('a heartbeat takes no id of an entry that is still to come', () => {
    expect(heartbeatId(queue, 7, id(8) - 2)).toBe(id(8) - 1);
    expect(heartbeatId(queue, 7, id(8) - 1)).toBeNull();
  });
});

test('the first heartbeat of a queue that has heard nothing is 0', () => {
  expect(heartbeatId(queueOf({ registeredAt: 5 }), 5, -1)).toBe(0);
});
