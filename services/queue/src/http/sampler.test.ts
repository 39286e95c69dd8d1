import { expect, test } from 'vitest';

import { createSampler } from './sampler.ts';

const pick = (oneIn: number, count: number) => {
  const sampler = createSampler(oneIn);
  return Array.from({ length: count }, () => sampler.isNext());
};

test('the first of so many is picked', () => {
  expect(pick(3, 7)).toEqual([true, false, false, true, false, false, true]);
});

test('all are picked, or none', () => {
  expect(pick(1, 3)).toEqual([true, true, true]);
  expect(pick(0, 3)).toEqual([false, false, false]);
});
