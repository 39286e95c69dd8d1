import { expect, test } from 'vitest';

import { waitOf } from './draft.ts';

test('a draft that the server was asked for is asked for again when it had time to come', () => {
  const asked = { text: '', atMs: 5000 };
  expect(waitOf({ asked: null }, 5000)).toBe(0);
  expect(waitOf({ asked }, 6000)).toBe(9000);
  expect(waitOf({ asked }, 16_000)).toBe(0);
  // The clock was set back meanwhile.
  expect(waitOf({ asked }, 4000)).toBe(0);
});
