import { expect, test } from 'vitest';

import { dayText, startOfDay } from './days.ts';

test('a day begins at midnight where the reader is', () => {
  const at = startOfDay('2026-03-09');
  expect(at && [at.getFullYear(), at.getMonth(), at.getDate(), at.getHours()]).toEqual([2026, 2, 9, 0]);
  expect(at && dayText(at)).toBe('2026-03-09');
});

test.each(['2026-02-30', '2026-13-01', '26-01-01', 'yesterday', ''])('%j is no day', (day) => {
  expect(startOfDay(day)).toBeNull();
});
