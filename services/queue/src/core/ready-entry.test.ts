import { expect, test, vi } from 'vitest';

import { entryOf, ephemeralOf, families } from './fixtures.test-support.ts';
import { createEntryParser } from './ready-entry.ts';

const onUnreadable = vi.fn();
const readEntry = createEntryParser({
  families,
  onUnreadable,
  values: { apiKeyOf: () => '', membersOf: () => [] },
});

test('an entry has its place, and says whom it revokes and whose ids it has', () => {
  const note = { type: 'note', n: 1 };
  const entry = readEntry.logged({ ...entryOf(7, { users: [10] }, note), revokes: [11] });
  expect(entry).toMatchObject({ seq: 7, dedupeKey: 7, revokes: [11], rooms: 0, message: null });
  expect(entry).toMatchObject({ ephemeralNumber: null, isReserved: false });
  expect(readEntry.logged({ ...entryOf(7, {}, note), rooms: 2 }).rooms).toBe(2);
  const longer = readEntry.logged(entryOf(7, {}, { ...note, n: 1001 }));
  expect(longer.size).toBe(entry.size + 3);
  expect(readEntry.logged(entryOf(7, {}, note)).revokes).toEqual([]);
});

test('room is reserved for the entry behind it, or for nobody', () => {
  const roomOf = (event: object) => readEntry.logged(entryOf(7, { users: [] }, { type: 'room', ...event }));
  expect(roomOf({}).isReserved).toBe(false);
  expect(roomOf({ reserved: true }).isReserved).toBe(true);
});

test('an ephemeral event has a key that no entry has', () => {
  const ephemeral = readEntry.ephemeral(ephemeralOf({ after: 7, n: 3 }));
  expect(ephemeral).toMatchObject({ seq: 7, ephemeralNumber: 3, dedupeKey: -3 });
  expect(ephemeral.audience).toEqual({ users: [10] });
});

test('what cannot be read says why', () => {
  const [unknown, malformed] = [
    entryOf(1, {}, { type: 'of the future' }),
    entryOf(2, {}, { type: 'message', id: 'none' }),
  ];
  for (const entry of [unknown, malformed]) {
    expect(readEntry.logged(entry)).toMatchObject({ family: null, message: null, event: entry.event });
  }
  expect(onUnreadable.mock.calls.map(([, reason]) => reason)).toEqual([
    'unknown type',
    expect.objectContaining({ name: expect.stringContaining('ZodError') }),
  ]);
});
