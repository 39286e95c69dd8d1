import { ID_STEP, unloggedIdOffset } from '@parley/protocol';
import { expect, test } from 'vitest';

import { heartbeatId, readsAfter, requiredHead } from './cursor.ts';

const idOf = (seq: number, sub = 0) => seq * ID_STEP + sub;

test.each([
  ['nothing acknowledged yet', -1, 5],
  ['an entry before the registration', idOf(4), 5],
  ['the entry of the registration', idOf(5, unloggedIdOffset), 5],
  ['an event of an entry, which may expand to more', idOf(7), 6],
  ['the last possible event of an entry', idOf(7, unloggedIdOffset - 1), 6],
  ['what is behind all events of an entry', idOf(7, unloggedIdOffset), 7],
])('a cursor at %s, %i, reads the log after %i', (_, lastEventId, expected) => {
  expect(readsAfter({ registeredAt: 5, lastEventId })).toBe(expected);
});

test.each([
  ['nothing acknowledged yet', -1, 5],
  ['an entry before the registration', idOf(4), 5],
  ['an event of an entry', idOf(7), 7],
  ['the last id of an entry: the next one belongs to the next entry', idOf(8, -1), 8],
  ['the id before that', idOf(8, -2), 7],
])('a cursor at %s needs the log to have reached its position', (_, lastEventId, expected) => {
  expect(requiredHead({ registeredAt: 5, lastEventId })).toBe(expected);
});

test('a heartbeat lies behind the head, and behind the cursor', () => {
  expect(heartbeatId(7, idOf(3))).toBe(idOf(7, unloggedIdOffset));
  expect(heartbeatId(7, idOf(7, unloggedIdOffset))).toBe(idOf(7, unloggedIdOffset) + 1);
});
