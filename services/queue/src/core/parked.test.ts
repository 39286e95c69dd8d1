import { expect, test, vi } from 'vitest';

import { createPoll, entryOf, queueOf, readEntry, sets } from './fixtures.test-support.ts';
import { createParked } from './parked.ts';
import type { Poll } from './poll.ts';

type Audience = Parameters<typeof entryOf>[1];

function park(...queues: Parameters<typeof queueOf>[0][]) {
  const parked = createParked<string>(0);
  const polls = queues.map((over, index) => {
    const queue = queueOf({ id: `q${index}`, ...over });
    const poll = createPoll({
      queue,
      lastEventId: -1,
      reply: queue.id,
      dueMs: 0,
      log: { settled: 0, head: 0, term: '', history: {} },
      slot: null,
    });
    parked.add(poll);
    return poll;
  });
  return { parked, polls };
}

const namesOf = (polls: readonly Poll<string>[]) => polls.map(({ reply }) => reply).sort();

test('polls are found by queue, user and realm until they are removed', () => {
  const { parked, polls } = park({ userId: 10 }, { userId: 10 }, { userId: 11 }, { userId: 10, realmId: 2 });
  const [first, second, third, other] = polls;
  if (!first || !second || !third || !other) throw new Error('There are four polls.');
  expect(parked.size).toBe(4);
  expect(parked.ofQueue('q1')).toBe(second);
  expect(namesOf(parked.ofUser(1, 10))).toEqual(['q0', 'q1']);
  expect(namesOf(parked.ofRealm(1))).toEqual(['q0', 'q1', 'q2']);
  expect(namesOf(parked.all())).toEqual(['q0', 'q1', 'q2', 'q3']);

  expect(parked.remove(first)).toBe(true);
  expect(parked.remove(first)).toBe(false);
  expect(namesOf(parked.ofUser(1, 10))).toEqual(['q1']);
  expect(parked.remove(second)).toBe(true);
  expect(parked.ofUser(1, 10)).toEqual([]);
  expect(namesOf(parked.ofRealm(1))).toEqual(['q2']);
  expect(parked.remove(third)).toBe(true);
  expect(parked.ofRealm(1)).toEqual([]);
  expect(parked.ofUser(1, 11)).toEqual([]);
  expect(parked.ofQueue('q2')).toBeUndefined();
  expect(namesOf(parked.all())).toEqual(['q3']);
});

test('a poll that took the place of another is not removed by it', () => {
  const { parked, polls } = park({ id: 'q', userId: 10 });
  const [poll] = polls;
  if (!poll) throw new Error('There is a poll.');
  expect(parked.remove({ ...poll })).toBe(false);
  expect(parked.ofQueue('q')).toBe(poll);
});

function visited(parked: ReturnType<typeof park>['parked'], audience: Audience, of = sets): string[] {
  const names: string[] = [];
  const entry = readEntry.logged(entryOf(1, audience, { type: 'note', n: 1 }));
  parked.eachIn(1, entry, of, ({ reply }) => names.push(reply));
  return names.sort();
}

test.each<[string, Audience, string[]]>([
  ['everyone', {}, ['q0', 'q1', 'q2', 'q3']],
  ['everyone but some', { except: [10] }, ['q2', 'q3']],
  ['users', { users: [10, 98] }, ['q0', 'q1']],
  ['users but one', { users: [10, 11], except: [10] }, ['q2']],
  ['nobody', { users: [] }, []],
  ['nobody of a set', { members: [] }, []],
  ['few members of a set', { members: [1] }, ['q0', 'q1', 'q2']],
  ['many members of a set', { members: [2] }, ['q2']],
  ['members but one', { members: [1], except: [11] }, ['q0', 'q1']],
  ['whoever receives all public channels', { users: [], open: true }, ['q3']],
  ['of these not who is excepted', { users: [], open: true, except: [99] }, []],
])('an entry visits %s', (_, audience, expected) => {
  const { parked } = park(
    { userId: 10 },
    { userId: 10 },
    { userId: 11 },
    { userId: 99, allPublicStreams: true },
  );
  expect(visited(parked, audience)).toEqual(expected);
});

test('a poll that is gone receives no public channel any more, and a realm without polls nothing', () => {
  const { parked, polls } = park({ userId: 10 }, { userId: 10, allPublicStreams: true });
  for (const poll of polls.slice(1)) parked.remove(poll);
  expect(visited(parked, { users: [], open: true })).toEqual([]);
  for (const poll of polls) parked.remove(poll);
  expect(visited(parked, {})).toEqual([]);
});

test('it walks the smaller of a set and the users who wait', () => {
  const cost = { members: vi.fn(sets.members), has: vi.fn(sets.has) };
  const of = { ...sets, ...cost };
  const { parked } = park({ userId: 10 }, { userId: 11 });
  expect(visited(parked, { members: [2] }, of)).toEqual(['q1']);
  expect([cost.members.mock.calls.length, cost.has.mock.calls.length]).toEqual([0, 2]);
  const { parked: crowded } = park({ userId: 10 }, { userId: 11 }, { userId: 97 });
  expect(visited(crowded, { members: [1] }, of)).toEqual(['q0', 'q1']);
  expect([cost.members.mock.calls.length, cost.has.mock.calls.length]).toEqual([1, 2]);
});

test('a slot is looked at when its poll is due, and let go once nobody has waited there for a while', () => {
  const parked = createParked<string>(0);
  const queue = queueOf({ id: 'q', userId: 10 });
  const park = (dueMs: number) => {
    const poll = createPoll({
      queue,
      lastEventId: -1,
      reply: String(dueMs),
      dueMs,
      log: { settled: 0, head: 0, term: '', history: {} },
      slot: null,
    });
    parked.add(poll);
    return poll;
  };
  parked.remove(park(50_000));
  const second = park(20_000);
  expect(parked.due(19_999)).toEqual([]);
  expect(parked.due(20_000)).toEqual([second]);
  parked.remove(second);
  const third = park(70_000);
  expect(parked.due(60_000)).toEqual([]);
  expect(parked.due(70_000)).toEqual([third]);
  parked.remove(third);
  expect(parked.due(200_000)).toEqual([]);
  const fourth = park(210_000);
  expect(parked.ofUser(1, 10)).toEqual([fourth]);
  expect(parked.due(210_000)).toEqual([fourth]);
});

test('a poll waits where the one before it did, and at a new slot when that is gone', () => {
  const { parked, polls } = park({ userId: 10 });
  const [first] = polls;
  if (!first) throw new Error('There is a poll.');
  const again = () => createPoll({ ...first, dueMs: 1e9 });
  const { slot } = first;
  parked.remove(first);
  const second = again();
  parked.add(second);
  expect(second.slot).toBe(slot);
  expect(parked.ofUser(1, 10)).toEqual([second]);

  parked.remove(second);
  for (let nowMs = 0; nowMs <= 120_000; nowMs += 10_000) parked.due(nowMs);
  const third = again();
  expect(third.slot).toBe(slot);
  parked.add(third);
  expect(third.slot).not.toBe(slot);
  expect(parked.ofUser(1, 10)).toEqual([third]);
});
