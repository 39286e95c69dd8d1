import type { ImportProgress } from '@parley/protocol';
import { expect, test } from 'vitest';

import { Pace } from './pace.ts';

test('progress is told once a second, with how fast it goes and how long the rest takes', () => {
  let now = 0;
  const told: ImportProgress[] = [];
  const pace = new Pace(
    (progress) => told.push(progress),
    () => now,
  );
  pace.advance({ phase: 'reading', done: 0, of: 100 });
  for (now = 500; now <= 4000; now += 500) {
    pace.advance({ phase: 'reading', done: now / 100, of: 100, messages: now / 10 });
  }
  expect(told.map(({ done }) => done)).toEqual([0, 10, 20, 30, 40]);
  expect(told.at(-1)).toEqual({
    phase: 'reading',
    done: 40,
    of: 100,
    messages: 400,
    per_second: 100,
    seconds_left: 6,
  });
});

test('the pace of a phase is its own', () => {
  let now = 0;
  const told: ImportProgress[] = [];
  const pace = new Pace(
    (progress) => told.push(progress),
    () => now,
  );
  pace.advance({ phase: 'reading', done: 1, of: 1 });
  now = 60_000;
  pace.advance({ phase: 'importing', done: 0, of: 10 });
  now = 62_000;
  pace.advance({ phase: 'importing', done: 4, of: 10 });
  expect(told.at(-1)).toMatchObject({ phase: 'importing', per_second: 2, seconds_left: 3 });
});
