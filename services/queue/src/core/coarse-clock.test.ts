import { expect, test } from 'vitest';

import { createCoarseClock } from './coarse-clock.ts';

test('it stands still between its ticks', () => {
  let nowMs = 1;
  const clock = createCoarseClock({ nowMs: () => nowMs });
  nowMs = 2;
  expect(clock.nowMs()).toBe(1);
  expect(clock.tick()).toBe(2);
  nowMs = 3;
  expect(clock.nowMs()).toBe(2);
});
