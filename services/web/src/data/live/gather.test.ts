import { expect, test } from 'vitest';

import { restAfter } from './gather.ts';

test('a page rests longer the longer it has drawn, within what somebody notices', () => {
  expect([0, 20, 100, 200, 5000].map(restAfter)).toEqual([100, 100, 300, 600, 1000]);
});
