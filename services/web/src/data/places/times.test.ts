import { expect, test } from 'vitest';

import { dayOf, momentOf } from './times.ts';

const at = (text: string) => new Date(text).getTime() / 1000;

test('a moment is written to the minute, whatever was written before it', () => {
  const written = [
    '2026-11-27T10:04:05',
    '2026-11-27T10:04:59',
    '2026-11-28T10:04:05',
    '2026-11-27T10:05:00',
  ];
  expect(written.map((text) => momentOf(at(text)))).toEqual([
    'Nov 27, 2026, 10:04 AM',
    'Nov 27, 2026, 10:04 AM',
    'Nov 28, 2026, 10:04 AM',
    'Nov 27, 2026, 10:05 AM',
  ]);
});

test('a day of another year says of which', () => {
  const now = new Date('2026-11-27T10:00:00');
  expect(dayOf(at('2026-11-20T10:00:00'), now)).toBe('Fri, November 20');
  expect(dayOf(at('2025-11-20T10:00:00'), now)).toBe('Thu, November 20, 2025');
});
