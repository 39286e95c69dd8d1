import { expect, test, vi } from 'vitest';

import { createPoll, entryOf, queueOf, readEntry, sets } from './fixtures.test-support.ts';
import { createParked } from './parked.ts';
import type { Poll } from './poll.ts';
import type { Queue } from './queue.ts';

const longMs = 1e9;

/** Polls that wait, by the names of their queues. */
function open(nowMs = 0) {
  const parked = createParked<string>(nowMs);
  return {
    parked,
    park: (queue: Queue, dueMs = longMs) => {
      const poll = createPoll({
        queue,
        lastEventId: -1,
        reply: queue.id,
        dueMs,
        log: { settled: 0, head: 0, term: '', history: {} },
        slot: null,
      });
      parked.add(poll);
      return poll;
    },
    /** Lets go of the slots where nobody waits. Polls without end go on waiting. */
    pass: (fromMs: number, toMs: number) => {
      for (let now = fromMs; now <= toMs; now += 10_000) expect(parked.due(now)).toEqual([]);
    },
    visit: (audience: Parameters<typeof entryOf>[1], of = sets) => {
      const names: string[] = [];
      const entry = readEntry.logged(entryOf(1, audience, { type: 'note', n: 1 }));
      parked.eachIn(1, entry, of, ({ reply }) => names.push(reply));
      return names.sort();
    },
  };
}

const namesOf = (polls: readonly Poll<string>[]) => polls.map(({ reply }) => reply).sort();

/** Polls of one user. The slot of the newest names the one before it. */
function parkThree() {
  const node = open();
  const [a, b, c] = (['a', 'b', 'c'] as const).map((id) =>
    node.park(queueOf({ id, userId: 10 }), 20_000),
  ) as [Poll<string>, Poll<string>, Poll<string>];
  return { ...node, polls: { a, b, c } };
}

test.each(['a', 'b', 'c'] as const)('when the slot of %s is let go, its user’s others stay', (gone) => {
  const { parked, park, pass, visit, polls } = parkThree();
  for (const [name, poll] of Object.entries(polls)) {
    parked.remove(poll);
    if (name !== gone) park(poll.queue);
  }
  pass(20_000, 120_000);
  const left = ['a', 'b', 'c'].filter((name) => name !== gone);
  expect(Object.values(polls).map(({ slot }) => slot?.isKept)).toEqual(
    ['a', 'b', 'c'].map((name) => name !== gone),
  );
  expect(namesOf(parked.ofUser(1, 10))).toEqual(left);
  expect(namesOf(parked.ofRealm(1))).toEqual(left);
  expect(visit({})).toEqual(left);
  const [last, first] = left.map((name) => polls[name as 'a' | 'b' | 'c'].slot);
  expect([first?.nextOfUser, last?.nextOfUser], 'nothing names it any more').toEqual([last, null]);
});

test('users who do not poll any more cost nothing', () => {
  const { parked, park, pass, visit } = open();
  const polls = [10, 12, 13].map((userId) => park(queueOf({ id: `q${userId}`, userId }), 20_000));
  for (const poll of polls.slice(1)) parked.remove(poll);
  for (const poll of polls.slice(0, 1)) {
    parked.remove(poll);
    park(poll.queue);
  }
  const has = vi.fn(sets.has);
  // The set has two members: it is walked unless there are as few users.
  expect(visit({ members: [1] }, { ...sets, has })).toEqual(['q10']);
  expect(has).not.toHaveBeenCalled();
  pass(20_000, 120_000);
  expect(visit({ members: [1] }, { ...sets, has })).toEqual(['q10']);
  expect(has).toHaveBeenCalledTimes(1);
});

test('a slot is kept for a while after its poll was answered', () => {
  const { parked, park } = open();
  const first = park(queueOf({ id: 'q', userId: 10 }), 20_000);
  expect(parked.due(20_000)).toEqual([first]);
  parked.remove(first);
  expect(parked.due(45_000)).toEqual([]);
  expect(first.slot?.isKept).toBe(true);
  expect(parked.due(55_000)).toEqual([]);
  expect(first.slot?.isKept).toBe(false);
});

test('a queue whose owner becomes a guest receives no public channel any more', () => {
  const { parked, park, visit } = open();
  const queue = queueOf({ id: 'q', userId: 10, allPublicStreams: true });
  const publicOnly = { users: [], open: true };
  const first = park(queue);
  expect(visit(publicOnly)).toEqual(['q']);
  for (const [receivesAllPublic, expected] of [
    [false, []],
    [true, ['q']],
    [false, []],
  ] as const) {
    parked.remove(parked.ofQueue('q') ?? first);
    queue.receivesAllPublic = receivesAllPublic;
    park(queue);
    expect(visit(publicOnly)).toEqual(expected);
  }
});

test('where nobody ever waited there is nobody', () => {
  const { parked } = open();
  const queue = queueOf({ userId: 10 });
  const poll = createPoll({
    queue,
    lastEventId: -1,
    reply: '',
    dueMs: 0,
    log: { settled: 0, head: 0, term: '', history: {} },
    slot: null,
  });
  expect(parked.remove(poll)).toBe(false);
  expect([parked.ofUser(1, 10), parked.ofRealm(1), parked.size]).toEqual([[], [], 0]);
});
