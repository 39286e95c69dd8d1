import { expect, test } from 'vitest';

import { noChanges } from './changes.ts';
import { mergePresences, presenceOf } from './presence.ts';
import { emptyState } from './state.test-support.ts';

test.each([
  [undefined, 'offline'],
  [{ active_timestamp: 990, idle_timestamp: 1000 }, 'active'],
  [{ active_timestamp: 930, idle_timestamp: 1000 }, 'active'],
  [{ active_timestamp: 929, idle_timestamp: 1000 }, 'idle'],
  [{ active_timestamp: 100, idle_timestamp: 800 }, 'idle'],
  [{ active_timestamp: 100, idle_timestamp: 799 }, 'offline'],
  [{ active_timestamp: 799, idle_timestamp: 799 }, 'offline'],
])('%j at second 1000 is %s', (times, presence) => {
  expect(presenceOf(times, 1000, 200)).toBe(presence);
});

test('an answer replaces what it names, and says so only where it names somebody', () => {
  const state = emptyState({ presences: { 2: { active_timestamp: 1, idle_timestamp: 1 } } });
  const changes = noChanges();
  mergePresences(state, {}, changes);
  expect([...changes.slices]).toEqual([]);
  mergePresences(state, { 3: { active_timestamp: 5, idle_timestamp: 6 } }, changes);
  expect([...changes.slices]).toEqual(['presences']);
  expect([...state.presences.keys()]).toEqual([2, 3]);
});
