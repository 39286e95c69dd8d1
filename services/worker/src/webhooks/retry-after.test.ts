import { expect, test } from 'vitest';

import { retryAfterMs } from './retry-after.ts';

const now = Date.UTC(2026, 10, 22, 12, 0, 0);

test.each([
  ['30', 30_000],
  [' 0 ', 0],
  ['99999999999', 3_600_000],
  ['Sun, 22 Nov 2026 12:00:45 GMT', 45_000],
  ['Sun, 22 Nov 2026 11:00:00 GMT', 0],
  ['Mon, 22 Nov 2027 12:00:00 GMT', 3_600_000],
  ['', null],
  ['soon', null],
])('Retry-After: %j asks for %j ms', (header, ms) => {
  expect(retryAfterMs(header, now)).toBe(ms);
});
