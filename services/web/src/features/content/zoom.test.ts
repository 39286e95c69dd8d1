import { expect, test } from 'vitest';

import { around, panned, whole, zoomed } from './zoom.ts';

test('a picture grows to eight times, and shrinks to what fits, in the middle', () => {
  const twice = zoomed(whole, 2);
  expect(twice).toEqual({ scale: 2, x: 0, y: 0 });
  expect(zoomed(twice, 100).scale).toBe(8);
  expect(zoomed(panned(twice, 10, -4), 2)).toEqual({ scale: 4, x: 20, y: -8 });
  expect(zoomed(panned(twice, 10, -4), 0.1)).toEqual(whole);
});

test('only what is larger than its place is moved', () => {
  expect(panned(whole, 5, 5)).toEqual(whole);
  expect(panned({ scale: 2, x: 1, y: 1 }, 5, -5)).toEqual({ scale: 2, x: 6, y: -4 });
});

test('after the last picture comes the first', () => {
  expect([around(2, 1, 3), around(0, -1, 3), around(1, 1, 3), around(0, 1, 1)]).toEqual([0, 2, 2, 0]);
});
