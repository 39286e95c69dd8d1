import { expect, test } from 'vitest';

import { gather } from './gather.ts';

test('what is asked for in one moment is asked for together, in portions until nobody waits', async () => {
  const asked: (readonly number[])[] = [];
  const find = gather<number, string>(2, async (keys) => {
    asked.push(keys);
    return await Promise.resolve(new Map(keys.filter((key) => key !== 3).map((key) => [key, `no. ${key}`])));
  });
  expect(await Promise.all([1, 2, 3, 2, 4, 5].map(find))).toEqual([
    'no. 1',
    'no. 2',
    null,
    'no. 2',
    'no. 4',
    'no. 5',
  ]);
  expect(asked).toEqual([[1, 2], [3, 4], [5]]);
});

test('whoever waits for a portion that fails is told of nothing, and later ones are asked for', async () => {
  let isBroken = true;
  const find = gather<number, number>(10, async (keys) => {
    if (isBroken) throw new Error('There is no network.');
    return await Promise.resolve(new Map(keys.map((key) => [key, key])));
  });
  expect(await find(1)).toBeNull();
  isBroken = false;
  expect(await find(1)).toBe(1);
});
