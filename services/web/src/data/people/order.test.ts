import type { Presence } from '@parley/client';
import { expect, test } from 'vitest';

import { matchPeople, orderPeople } from './order.ts';

const person = (user_id: number, full_name: string, delivery_email: string | null = null) => ({
  user_id,
  full_name,
  delivery_email,
});
const people = [
  person(1, 'Zoe Own'),
  person(2, 'Bob Baker', 'bobby@example.com'),
  person(3, 'Ann Cole'),
  person(4, 'Cid Dean'),
  person(5, 'Abe Eden'),
];

test('oneself comes first, then who is active, idle and offline, by name', () => {
  const presences: Record<number, Presence> = { 2: 'active', 3: 'idle', 4: 'active', 5: 'offline' };
  const ordered = orderPeople(people, 1, (id) => presences[id] ?? 'offline');
  expect(ordered.map(({ user_id }) => user_id)).toEqual([1, 2, 4, 3, 5]);
});

test.each([
  ['', [1, 2, 3, 4, 5]],
  ['b', [2]],
  ['b ba', [2]],
  ['COLE an', [3]],
  ['bobby@', [2]],
  ['aker', []],
])('%j finds %j', (query, ids) => {
  expect(matchPeople(people, query).map(({ user_id }) => user_id)).toEqual(ids);
});
