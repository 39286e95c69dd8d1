import { ID_STEP, unloggedIdOffset } from '@parley/protocol';
import { expect, test, vi } from 'vitest';

import { entryOf, ephemeralOf, families } from './fixtures.test-support.ts';
import { createEntryParser } from './ready-entry.ts';

const onUnreadable = vi.fn();
const readEntry = createEntryParser({ families, onUnreadable, secrets: { apiKeyOf: () => '' } });

test('an entry has its ids, and says whom it revokes', () => {
  const note = { type: 'note', n: 1 };
  const entry = readEntry.logged({ ...entryOf(7, { users: [10] }, note), revokes: [11] });
  expect(entry).toMatchObject({ seq: 7, firstId: 7 * ID_STEP, dedupeKey: 7, revokes: [11], message: null });
  expect(entry.size).toBe(JSON.stringify(note).length);
  expect(readEntry.logged(entryOf(7, {}, note)).revokes).toEqual([]);
});

test('an ephemeral event has a key that no entry has', () => {
  const ephemeral = readEntry.ephemeral(ephemeralOf({ after: 7, n: 3 }));
  expect(ephemeral).toMatchObject({ seq: 7, firstId: 7 * ID_STEP + unloggedIdOffset + 3, dedupeKey: -3 });
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
