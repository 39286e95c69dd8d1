import { expect, test } from 'vitest';

import { createIdSet } from './id-set.ts';

test('a set of ids knows which are in it, and how many come before one', () => {
  using ids = createIdSet();
  expect([7, 2_147_483_647, 5, 7].map((id) => ids.add(id))).toEqual([true, true, true, false]);
  expect([ids.size, ids.has(5), ids.has(6)]).toEqual([3, true, false]);
  expect([0, 5, 6, 7, 2_147_483_647].map((id) => ids.rank(id))).toEqual([0, 1, 1, 2, 3]);
  expect([2 ** 32 + 5, 2 ** 53 - 1].map((id) => ids.add(id))).toEqual([true, true]);
  expect([ids.size, ids.has(2 ** 32 + 5), ids.has(2 ** 33 + 5)]).toEqual([5, true, false]);
  expect([2 ** 32, 2 ** 32 + 5, 2 ** 52, 2 ** 53 - 1].map((id) => ids.rank(id))).toEqual([3, 4, 4, 5]);
  ids.remove(2 ** 53 - 1);
  ids.remove(2 ** 32 + 5);
  ids.remove(5);
  expect([ids.size, ids.rank(7)]).toEqual([2, 1]);
});
