import { expect, test } from 'vitest';

import { scalesOf } from './reading-size.ts';

test.each([
  [16, 140, 1, 1],
  [20, 140, 1.25, 1],
  [16, 175, 1, 1.25],
  [1, 1, 0.75, 110 / 140],
  [200, 1000, 1.5, 200 / 140],
])('letters of %d pixels and lines of %d %% are %d and %d of what is usual', (size, line, text, leading) => {
  expect(scalesOf({ sizePx: size, linePercent: line })).toEqual({ text, leading });
});
