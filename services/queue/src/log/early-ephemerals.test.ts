import { expect, test } from 'vitest';

import { ephemeralOf, queueOf, readEntry } from '../core/fixtures.test-support.ts';
import { createEarlyEphemerals } from './early-ephemerals.ts';

test('what is said in a realm that is not followed yet is kept for as long as the node is told', () => {
  const early = createEarlyEphemerals({
    readEntry,
    clock: { nowMs: () => 0 },
    limits: { ephemeralMs: 60_000 },
  });
  early.add(ephemeralOf({ realmId: 2, users: [10] }));
  early.add(ephemeralOf({ realmId: 3, users: [10] }));
  for (const [realmId, nowMs, kept] of [
    [2, 59_999, 1],
    [3, 60_000, 0],
    [3, 0, 0],
  ] as const) {
    const after = early.take(realmId).after(-1, queueOf({ userId: 10 }), 0, nowMs);
    expect(after, `realm ${realmId} after ${nowMs} ms`).toHaveLength(kept);
  }
});
