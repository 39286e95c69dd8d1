import fc from 'fast-check';
import { expect, test } from 'vitest';

import { createTimerWheel } from './timer-wheel.ts';

test('each item comes out once, never early, at the first look after its time, unless it was removed', () => {
  const item = fc.record({ afterMs: fc.nat(200_000), isRemoved: fc.boolean() });
  const step = fc.record({ passMs: fc.nat(90_000), added: fc.array(item, { maxLength: 4 }) });
  fc.assert(
    fc.property(fc.array(step), (steps) => {
      let nowMs = 1_700_000_000_123;
      const wheel = createTimerWheel<{ dueMs: number }>(nowMs);
      let waiting: { dueMs: number }[] = [];
      for (const { passMs, added } of steps) {
        for (const { afterMs, isRemoved } of added) {
          const one = { dueMs: nowMs + afterMs };
          wheel.add(one);
          if (isRemoved) wheel.remove(one);
          else waiting.push(one);
        }
        nowMs += passMs;
        expect(new Set(wheel.due(nowMs))).toEqual(new Set(waiting.filter(({ dueMs }) => dueMs <= nowMs)));
        waiting = waiting.filter(({ dueMs }) => dueMs > nowMs);
      }
    }),
  );
});

test('after a long pause one turn looks at every bucket, and at none twice', () => {
  const wheel = createTimerWheel<{ dueMs: number }>(0, 10, 4);
  const items = [5, 15, 25, 35, 45].map((dueMs) => ({ dueMs }));
  for (const item of items) wheel.add(item);
  expect(new Set(wheel.due(1e15))).toEqual(new Set(items));
  expect(wheel.due(2e15)).toEqual([]);
});

test('a clock that goes back loses no item', () => {
  const wheel = createTimerWheel<{ dueMs: number }>(0, 10, 4);
  expect(wheel.due(50)).toEqual([]);
  expect(wheel.due(20)).toEqual([]);
  const late = { dueMs: 30 };
  wheel.add(late);
  expect(wheel.due(50)).toEqual([late]);
});

test('an item that was due when it was added can be removed', () => {
  const wheel = createTimerWheel<{ dueMs: number }>(100, 10, 4);
  const late = { dueMs: 15 };
  wheel.add(late);
  wheel.remove(late);
  expect(wheel.due(200)).toEqual([]);
});
