import { test, expect } from 'vitest';

import { createAlertWordMatcher } from './matcher.ts';

const find = createAlertWordMatcher([
  { userId: 1, word: 'Lunch' },
  { userId: 2, word: 'lunch' },
  { userId: 2, word: 'free pizza' },
  { userId: 3, word: 'C++' },
  { userId: 4, word: 'été' },
]);

test.each([
  ['is it LUNCH?', [1, 2]],
  ['lunchtime', []],
  ['there is Free pizza!', [2]],
  ['carefree pizzas', []],
  ['I like c++.', [3]],
  ['cet été-là', [4]],
  ['', []],
])('%j alerts %j', (text, ids) => {
  expect(find(text)).toEqual(ids);
});
