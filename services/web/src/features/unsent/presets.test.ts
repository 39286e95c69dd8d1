import { expect, test } from 'vitest';

import { fromLocalText, presetsAt, toLocalText } from './presets.ts';

test('moments are in the future, and in order', () => {
  for (const text of ['2026-11-22T08:00', '2026-11-22T17:30', '2026-11-23T09:00', '2026-12-31T23:59']) {
    const now = new Date(text);
    const times = presetsAt(now).map(({ at }) => at);
    expect(Math.min(...times)).toBeGreaterThan(now.getTime() / 1000);
    expect(times).toEqual([...times].sort((a, b) => a - b));
  }
});

test('the day after Sunday is Monday, and is offered once', () => {
  const names = presetsAt(new Date('2026-11-22T10:00')).map(({ name }) => name);
  expect(names).toContain('Tomorrow morning');
  expect(names).not.toContain('Monday morning');
  const friday = presetsAt(new Date('2026-11-20T10:00')).find(({ name }) => name === 'Monday morning');
  expect(new Date((friday?.at ?? 0) * 1000).getDate()).toBe(23);
});

test('moments are written in the time of this machine', () => {
  const at = fromLocalText('2026-03-04T05:06');
  expect(toLocalText(at)).toBe('2026-03-04T05:06');
});
