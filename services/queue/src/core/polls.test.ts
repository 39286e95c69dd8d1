import { Client } from '@parley/protocol';
import { describe, expect, test, vi } from 'vitest';

import { readsAfter } from './cursor.ts';
import { bulkOf, entryOf, noteOf, queueOf } from './fixtures.test-support.ts';
import { createTestNode } from './test-node.test-support.ts';

const answers = (receive = vi.fn()) => ({
  receive: (lines: readonly string[]) => receive(lines.map((line) => JSON.parse(line))),
  all: receive.mock,
});

describe('a poll that does not wait', () => {
  test('Q6: returns with the heartbeat that is due, which moves the cursor over what was filtered out', () => {
    const node = createTestNode();
    node.sync([noteOf(1, [99]), noteOf(2, [10])]);
    const queue = queueOf({ userId: 10 });
    const [none, due, event] = [answers(), answers(), answers()];
    node.poll([], queue, -1, event, 'returns with heartbeat');
    expect(event.all.calls).toMatchObject([[[{ type: 'note', n: 2 }]]]);
    const [[[{ id }]]] = event.all.calls as [[[{ id: number }]]];
    node.sync([noteOf(1, [99]), noteOf(2, [10]), noteOf(3, [99])]);
    node.poll([], queue, id, none, 'returns');
    expect(none.all.calls).toEqual([[[]]]);
    node.poll([], queue, id, due, 'returns with heartbeat');
    const [[[heartbeat]]] = due.all.calls as [[[{ id: number }]]];
    expect(heartbeat).toEqual({ type: 'heartbeat', id: expect.any(Number) });
    expect(readsAfter(queue, heartbeat.id)).toBe(3);
  });
});

test('an answer with events says how far the cursors of its queue are of the history of the ring', () => {
  const node = createTestNode();
  const [queue, other] = [queueOf({ id: 'a', userId: 10 }), queueOf({ id: 'b', userId: 11 })];
  for (const each of [queue, other]) each.proveTo(0, '', node.ring.history);
  for (const each of [queue, other]) node.poll([], each, -1, answers());
  const log = [noteOf(1, [99]), noteOf(2, [10]), noteOf(3, [10])];
  node.sync(log.slice(0, 2));
  expect([queue.provenTo, queue.provenTerm, other.provenTo]).toEqual([2, node.ring.term, 0]);
  node.polls.tick(45_000);
  expect([queue.provenTo, other.provenTo], 'with a heartbeat').toEqual([2, 2]);
  node.sync(log);
  node.poll([], queue, -1, answers());
  expect(queue.provenTo, 'at once').toBe(3);
  other.proveTo(1, '', {});
  node.poll([], other, -1, answers(), 'returns with heartbeat');
  expect(other.provenTo, 'in another history').toBe(1);
});

describe('a waiting poll', () => {
  test('Q6: is answered with one heartbeat that moves the cursor over what was filtered out', () => {
    const node = createTestNode();
    const reply = answers();
    node.poll([], queueOf({ userId: 10 }), -1, reply);
    node.sync([noteOf(1, [99]), noteOf(2, [99])]);
    node.polls.tick(44_999);
    expect(reply.all.calls).toEqual([]);
    node.polls.tick(45_000);
    const [[[heartbeat]]] = reply.all.calls as [[[{ id: number }]]];
    expect(heartbeat).toEqual({ type: 'heartbeat', id: expect.any(Number) });
    expect(readsAfter(queueOf({}), heartbeat.id)).toBe(2);
    node.polls.tick(1e9);
    expect(reply.all.calls).toHaveLength(1);
  });

  test('Q3: gets a new id with each heartbeat, even when nothing happens', () => {
    const node = createTestNode();
    const queue = queueOf({ userId: 10 });
    let cursor = -1;
    for (const _ of [1, 2, 3]) {
      const reply = answers();
      node.poll([], queue, cursor, reply);
      node.polls.tick((node.nowMs += 45_000));
      const [[[{ id }]]] = reply.all.calls as [[[{ id: number }]]];
      expect(id).toBeGreaterThan(cursor);
      expect(id).toBeLessThan(5);
      cursor = id;
    }
  });

  test('Q5: is displaced by a second one, and answered with no event', () => {
    const node = createTestNode();
    const queue = queueOf({ userId: 10 });
    const [first, second] = [answers(), answers()];
    node.poll([], queue, -1, first);
    node.poll([], queue, -1, second);
    expect(first.all.calls).toEqual([[[]]]);
    expect(second.all.calls).toEqual([]);
    expect(node.polls.size).toBe(1);
  });

  test('Q7: receives all of a run of entries in one reply', () => {
    const node = createTestNode();
    const reply = answers();
    node.poll([], queueOf({ userId: 10 }), -1, reply);
    node.sync([noteOf(1, [10]), noteOf(2, [99]), noteOf(3, [10])]);
    expect(reply.all.calls).toMatchObject([[[{ n: 1 }, { n: 3 }]]]);
  });

  test('Q7: gets no event before one that did not fit, however small', () => {
    const node = createTestNode();
    const reply = answers();
    node.poll([], queueOf({ userId: 10, client: Client.parse({ bulk_message_deletion: true }) }), -1, reply);
    const long = entryOf(2, {}, { type: 'bulk', ids: [11_111, 22_222, 33_333] });
    node.sync([noteOf(1, [10]), long, noteOf(3, [10])]);
    expect(reply.all.calls).toMatchObject([[[{ n: 1 }]]]);
  });

  test('is not answered after its client hung up', () => {
    const node = createTestNode();
    const reply = answers();
    node.poll([], queueOf({ userId: 10 }), -1, reply);
    const [poll] = node.polls.all();
    if (!poll) throw new Error('The poll does not wait.');
    expect([node.polls.remove(poll), node.polls.remove(poll)]).toEqual([true, false]);
    node.sync([noteOf(1, [10])]);
    node.polls.tick(1e9);
    expect(reply.all.calls).toEqual([]);
  });
});

test('Q9: an entry is tested against no more polls than it has recipients, however many wait', () => {
  const node = createTestNode();
  const queues = Array.from({ length: 1000 }, (_, index) => {
    const queue = queueOf({ id: `q${index}`, userId: 1000 + index });
    const tested = vi.fn(() => null);
    Object.defineProperty(queue, 'eventTypes', { get: tested });
    node.poll([], queue, -1, answers());
    return tested;
  });
  node.sync([noteOf(1, [1000, 1001, 5])]);
  expect(queues.filter((tested) => tested.mock.calls.length > 0)).toHaveLength(2);
});

test('an entry that becomes nothing for a client leaves its poll waiting', () => {
  const node = createTestNode();
  const reply = answers();
  const queue = queueOf({ userId: 10 });
  node.poll([], queue, -1, reply);
  expect(node.polls.isWaiting(queue.id)).toBe(true);
  node.sync([entryOf(1, {}, { type: 'silent' })]);
  expect([reply.all.calls, node.polls.isWaiting(queue.id)]).toEqual([[], true]);
  node.sync([entryOf(1, {}, { type: 'silent' }), noteOf(2, [10])]);
  expect(reply.all.calls).toHaveLength(1);
  expect(node.polls.isWaiting(queue.id)).toBe(false);
});

test('an event of a run is sent once, however many ways it reaches its user', () => {
  const node = createTestNode();
  const reply = answers();
  node.poll([], queueOf({ userId: 11 }), -1, reply);
  const audience = { users: [11, 11], members: [1, 2] };
  node.sync([1, 2].map((n) => entryOf(n, audience, { type: 'note', n })));
  expect(reply.all.calls).toEqual([[[expect.objectContaining({ n: 1 }), expect.objectContaining({ n: 2 })]]]);
});

test('a single entry that becomes many events is sent in replies of the usual size', () => {
  const node = createTestNode();
  const reply = answers();
  node.poll([], queueOf({ userId: 10 }), -1, reply);
  node.sync(bulkOf(1, {}, [1, 2, 3, 4, 5]));
  const [[events]] = reply.all.calls as [[{ id_alone: number }[]]];
  expect(events.map(({ id_alone: id }) => id)).toEqual([1, 2]);
});

test('a poll that waits is displaced by whoever names its queue', () => {
  const node = createTestNode();
  const reply = answers();
  node.poll([], queueOf({ id: 'q', userId: 10 }), -1, reply);
  node.polls.displace('another');
  expect([reply.all.calls, node.polls.size]).toEqual([[], 1]);
  node.polls.displace('q');
  expect([reply.all.calls, node.polls.size]).toEqual([[[[]]], 0]);
});

test('a poll is tested once against an entry that reaches its user in several ways', () => {
  const node = createTestNode();
  const reply = answers();
  node.poll([], queueOf({ userId: 11 }), -1, reply);
  node.sync([entryOf(1, { users: [11, 11], members: [1, 2] }, { type: 'note', n: 1 })]);
  expect(reply.all.calls).toMatchObject([[[{ n: 1 }]]]);
});

test('a poll wants room when it gets the last id for heartbeats, and none of an entry that is still to come', () => {
  const node = createTestNode();
  const queue = queueOf({ userId: 10 });
  const heartbeats: number[] = [];
  for (let cursor = -1, time = 0; time < 7; time += 1) {
    const reply = answers();
    node.poll([], queue, cursor, reply);
    node.polls.tick((node.nowMs += 45_000));
    const [[events]] = reply.all.calls as [[{ id: number }[]]];
    cursor = events.at(-1)?.id ?? cursor;
    heartbeats.push(events.length);
    expect(cursor).toBe(Math.min(time, 4));
  }
  expect(heartbeats).toEqual([1, 1, 1, 1, 1, 0, 0]);
  expect(node.roomsWanted).toBe(5);
  node.sync([entryOf(1, { users: [] }, { type: 'room' })]);
  const reply = answers();
  node.poll([], queue, 4, reply);
  node.polls.tick((node.nowMs += 45_000));
  expect(reply.all.calls).toEqual([[[{ type: 'heartbeat', id: 8 }]]]);
});

test('Q6: a heartbeat takes no id that an entry on its way has reserved', () => {
  const node = createTestNode();
  const queue = queueOf({ userId: 10 });
  const log = [noteOf(1, [99]), ...bulkOf(2, {}, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])];
  const reply = answers();
  node.poll([], queue, -1, reply);
  node.sync(log, 2);
  node.polls.tick((node.nowMs += 45_000));
  const [[[heartbeat]]] = reply.all.calls as [[[{ id: number }]]];
  const after = answers();
  node.poll(log, queue, heartbeat.id, after);
  node.sync(log);
  const [[events]] = after.all.calls as [[{ id_alone: number }[]]];
  expect(events[0]?.id_alone).toBe(1);
});

test('a poll that an entry without ids for its events wakes is answered with nothing, and refused when it comes back', () => {
  const node = createTestNode();
  const reply = answers();
  node.poll([], queueOf({ userId: 10 }), -1, reply);
  const entry = entryOf(1, {}, { type: 'bulk', ids: [1, 2, 3, 4] });
  node.sync([entry]);
  expect(reply.all.calls).toEqual([[[]]]);
  expect(() => node.poll([entry], queueOf({ userId: 10 }), -1, answers())).toThrow('There is no event queue');
});
