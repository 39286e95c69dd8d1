import { expect, test } from 'vitest';

import { restAfter } from './gather.ts';

test('a page rests longer the longer it has drawn, within what somebody notices', () => {
  expect([0, 20, 100, 200, 5000].map((ms) => restAfter(ms))).toEqual([100, 100, 300, 600, 1000]);
});

test('a page on which somebody writes draws for a thirty-third of the time, as long as nothing comes two seconds late', () => {
  expect([0, 20, 40, 200].map((ms) => restAfter(ms, 'writing'))).toEqual([100, 640, 1280, 2000]);
});
