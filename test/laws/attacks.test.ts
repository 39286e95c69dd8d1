import { expect, test } from 'vitest';

import { type AttackReport, damageOf, worstOf } from '../load/attacks/run-attacks.ts';

const latency = (p99: number) => ({ count: 200, p50: 10, p90: 20, p99, p999: p99, max: p99 });

const report = (attack: string, p99: number, mib = 200): AttackReport => ({
  attack,
  timed: { send: latency(p99), messages: latency(60), deliveries: latency(60) },
  failures: {},
  answered: {},
  memory: { 'api-1': mib },
});

test('an attack under which others wait no longer than twice as long as in calm does no damage', () => {
  expect(damageOf([report('calm', 80), report('formulas', 160)])).toEqual([]);
  expect(damageOf([report('calm', 5), report('formulas', 50)]), 'a few milliseconds are noise').toEqual([]);
});

test('an attack under which others wait more than twice as long as in calm does damage', () => {
  expect(damageOf([report('calm', 80), report('pictures', 161)])).toEqual([
    'pictures: p99 of send 161 ms, 80 ms in calm',
  ]);
});

test('an attack that makes a node take more than 300 MiB does damage', () => {
  expect(damageOf([report('calm', 80), report('bodies', 80, 301)])).toEqual(['bodies: api-1 took 301 MiB']);
});

test('the worst attack is the one under which others wait longest for anything', () => {
  const reports = [report('calm', 80), report('bodies', 60), report('pictures', 136)];
  expect(worstOf(reports)).toBeCloseTo(1.7);
});
