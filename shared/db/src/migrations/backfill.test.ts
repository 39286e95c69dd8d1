import { expect, test } from 'vitest';

import { nextSize } from './backfill.ts';

test('a portion of a backfill grows and shrinks with the time that the last one took, by half or twice at most', () => {
  expect(nextSize(500, 100)).toBe(500);
  expect(nextSize(500, 1)).toBe(1000);
  expect(nextSize(500, 150)).toBe(333);
  expect(nextSize(500, 5000)).toBe(250);
  expect(nextSize(9000, 10)).toBe(10_000);
  expect(nextSize(11, 5000)).toBe(10);
  expect(nextSize(10, 5000)).toBe(10);
});
