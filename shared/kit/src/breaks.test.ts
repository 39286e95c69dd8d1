import { expect, test } from 'vitest';

import { createBreaks } from './breaks.ts';

test('long work lets others have a turn after each time that it has held the loop, and not between', async () => {
  let nowMs = 0;
  const breaks = createBreaks(10, () => nowMs);
  expect(breaks()).toBeUndefined();
  nowMs = 9;
  expect(breaks()).toBeUndefined();
  nowMs = 10;
  let others = 0;
  setImmediate(() => (others += 1));
  await breaks();
  expect(others).toBe(1);
  expect(breaks()).toBeUndefined();
});
