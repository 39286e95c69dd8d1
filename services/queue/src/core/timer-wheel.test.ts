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
