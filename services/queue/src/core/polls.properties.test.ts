import { type EntryAudience, type PublishedEphemeral, Client, type Entry } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';

import { collectEvents } from './collect-events.ts';
import { readsAfter } from './cursor.ts';
import { mergeByPosition } from './ephemerals.ts';
import { expectedEvents, idOf } from './expected-events.test-support.ts';
import { bulkOf, entryOf, ephemeralOf, limits, queueOf, sets } from './fixtures.test-support.ts';
import type { Patience } from './polls.ts';
import { type TestNode, createTestNode } from './test-node.test-support.ts';

const bulkClient = Client.parse({ bulk_message_deletion: true });

const kinds = [
  queueOf({ id: 'phone', userId: 10, client: bulkClient }),
  queueOf({ id: 'old', userId: 10 }),
  queueOf({ id: 'filtered', userId: 11, eventTypes: ['note', 'own', 'ephemeral'] }),
  queueOf({ id: 'only notes', userId: 11, eventTypes: ['note'] }),
  queueOf({ id: 'open', userId: 12, allPublicStreams: true }),
  queueOf({ id: 'late', userId: 13, registeredAt: 3, ephemeralAt: 13, client: bulkClient }),
  queueOf({ id: 'late and old', userId: 13, registeredAt: 3, ephemeralAt: 13 }),
];
/** Each with the ids that new queues get, and with those of queues that nodes of older versions registered. */
const queues = kinds.flatMap((queue) => [
  queue,
  queueOf({ ...queue, id: `${queue.id}, wide`, idForm: 'wide' }),
]);

const audience = fc.constantFrom<EntryAudience[]>(
  {},
  { except: [11] },
  { users: [10] },
  { users: [10, 13], except: [10] },
  { users: [] },
  { members: [1] },
  { members: [2, 1], except: [12] },
  { users: [10], members: [2] },
  { members: [1], open: true },
);
const logged = fc.oneof(
  fc.nat(99).map((n) => ({ type: 'note', n })),
  fc.nat(99).map((n) => ({ type: 'own', n })),
  fc.array(fc.nat(99), { maxLength: 5 }).map((ids) => ({ type: 'bulk', ids })),
  fc.array(fc.nat(99), { minLength: 4, maxLength: 25 }).map((ids) => ({ type: 'bulk', ids })),
  fc.constantFrom({ type: 'silent' }, { type: 'of the future' }, { type: 'note', n: 'not a number' }),
);
const who = fc.nat(queues.length - 1);
const where = fc.nat(1);

const step = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('publish' as const), audience, logged }) },
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('sync' as const), where, most: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constant('poll' as const),
      who,
      where,
      patience: fc.constantFrom<Patience>('waits', 'returns', 'returns with heartbeat'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('publishEphemeral' as const),
      users: fc.subarray([10, 11, 12, 13], { minLength: 2 }),
      lag: fc.nat(2),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('receiveEphemeral' as const), where, which: fc.nat(3) }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('loseReply' as const), who }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('hangUp' as const), who }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), where, ms: fc.constantFrom(1000, 60_000) }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

interface ReceivedEvent {
  id: number;
  type: string;
  n?: number;
}

/** A client that keeps to the protocol: it acknowledges the last id it got, and ignores answers to older requests. */
function createClient(index: number) {
  let latest = 0;
  const client = {
    queue: queues[index] ?? queueOf({}),
    cursor: -1,
    isWaiting: false,
    willLose: false,
    received: [] as ReceivedEvent[],
    poll(node: TestNode, log: Entry[], patience: Patience) {
      const request = (latest += 1);
      client.isWaiting = true;
      const receive = (lines: readonly string[]) => {
        if (request !== latest) return;
        client.isWaiting = false;
        if (client.willLose) {
          client.willLose = false;
          return;
        }
        client.received.push(...lines.map((line): ReceivedEvent => JSON.parse(line.toString())));
        client.cursor = client.received.at(-1)?.id ?? client.cursor;
      };
      node.poll(log, client.queue, client.cursor, { receive }, patience);
    },
  };
  return client;
}

/** An ephemeral event with the number that Redis gives it: each takes the next id behind its entry. */
function numbered(
  { users, lag }: { users: number[]; lag: number },
  log: Entry[],
  newest: PublishedEphemeral | undefined,
  makeRoom: () => void,
): PublishedEphemeral {
  let after = Math.max(newest?.after ?? 0, log.length - lag);
  while (log[after - 1]?.event['reserved']) after += 1;
  const [number, before] = [newest?.n ?? 0, newest?.after ?? -1];
  const own = before === after ? (number % 8) + 1 : 4;
  if (own < 8) {
    const block = Math.floor(number / 8) + (before === after ? 0 : 1);
    return ephemeralOf({ n: block * 8 + own, after, users });
  }
  makeRoom();
  return numbered({ users, lag: 0 }, log, newest, makeRoom);
}

function play(steps: Step[]) {
  const log: Entry[] = [];
  const ephemerals: PublishedEphemeral[] = [];
  const nodes = [createTestNode(), createTestNode()] as const;
  const silence = () => log.push(entryOf(log.length + 1, {}, { type: 'silent' }));
  const makeRoom = () => log.push(entryOf(log.length + 1, { users: [] }, { type: 'room' }));
  const clients = queues.map((_, index) => createClient(index));
  const nodeAt = (index: number) => (index === 0 ? nodes[0] : nodes[1]);
  const received = [new Set(), new Set()];
  for (const step of steps) {
    if (step.do === 'publish') {
      const { logged, audience } = step;
      // No queue registers between the entries of one append.
      if (logged.type === 'bulk') while (log.length < 3) silence();
      const ids = 'ids' in logged ? logged.ids : null;
      if (ids) log.push(...bulkOf(log.length + 1, audience, ids));
      else log.push(entryOf(log.length + 1, audience, logged));
    } else if (step.do === 'sync') nodeAt(step.where).sync(log, step.most);
    else if (step.do === 'publishEphemeral') {
      ephemerals.push(numbered(step, log, ephemerals.at(-1), makeRoom));
    } else if (step.do === 'receiveEphemeral') {
      // They arrive in any order, late or never: this carrier is independent of the log's.
      const ephemeral = ephemerals.at(-1 - step.which);
      if (!ephemeral || received[step.where]?.has(ephemeral)) continue;
      received[step.where]?.add(ephemeral);
      nodeAt(step.where).receive(ephemeral);
    } else if (step.do === 'wait') {
      const node = nodeAt(step.where);
      node.nowMs += step.ms;
      node.polls.tick(node.nowMs);
      for (; node.roomsWanted > 0; node.roomsWanted -= 1) makeRoom();
    } else {
      const client = clients[step.who];
      if (!client || (client.queue.registeredAt > log.length && client.cursor === -1)) continue;
      if (step.do === 'poll') client.poll(nodeAt(step.where), log, step.patience);
      else if (step.do === 'loseReply') client.willLose = true;
      else
        for (const { polls } of nodes)
          for (const poll of polls.all()) if (poll.queue === client.queue) polls.remove(poll);
    }
  }
  while (log.length < 3) silence();
  for (const node of nodes) node.sync(log);
  for (const client of clients) {
    client.willLose = false;
    for (let before = -2; before !== client.cursor;) {
      before = client.cursor;
      client.poll(nodes[0], log, 'returns');
    }
  }
  return { log, ephemerals, nodes, clients };
}

const runs = { numRuns: Number(process.env.FC_RUNS ?? 1000) };

describe('whatever is published, polled, lost, displaced, and on whichever node', () => {
  test('Q1 Q2 Q4: each queue receives exactly the entries that match it, once, in order', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const { log, clients } = play(steps);
        for (const { received, queue } of clients) {
          const logged = received.filter(({ type }) => type !== 'heartbeat' && type !== 'ephemeral');
          expect(logged).toEqual(expectedEvents(log, queue));
        }
      }),
      runs,
    );
  });

  test('Q12: an ephemeral event is received at most once, by the users it names, after they registered', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const { ephemerals, clients } = play(steps);
        for (const { received, queue } of clients) {
          const numbers = received.flatMap(({ type, n }) => (type === 'ephemeral' ? [n] : []));
          const possible = ephemerals.filter(
            ({ users, after, n }) =>
              users.includes(queue.userId) &&
              (!queue.eventTypes || queue.eventTypes.includes('ephemeral')) &&
              (after > queue.registeredAt || (after === queue.registeredAt && n > queue.ephemeralAt)),
          );
          expect(new Set(numbers).size).toBe(numbers.length);
          expect(possible.map(({ n }) => n)).toEqual(expect.arrayContaining(numbers));
        }
      }),
      runs,
    );
  });

  test('Q3: ids rise strictly, heartbeats included, from 0 by eight an entry at most', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        const { log, clients } = play(steps);
        for (const { received, queue } of clients) {
          const ids = received.map(({ id }) => id);
          expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
          if (queue.idForm === 'wide') continue;
          const largest = (log.length - queue.registeredAt + 1) * 8;
          expect(ids.filter((id) => id < 0 || id >= largest)).toEqual([]);
        }
      }),
      runs,
    );
  });

  test('Q2: the same request has the same answer, on every node', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), who, fc.nat(30), fc.nat(4), (steps, index, seq, sub) => {
        const { log, nodes } = play(steps);
        const queue = queueOf({ ...queues[index], eventTypes: ['note', 'own', 'bulk'] });
        const cursor = idOf(queue, Math.min(seq, log.length)) + sub;
        const answers = [nodes[0], nodes[1], nodes[0]].map((node) => {
          let answer = '';
          const receive = (lines: readonly string[]) => (answer = lines.join());
          node.poll(log, queue, cursor, { receive }, 'returns');
          return answer;
        });
        expect(new Set(answers).size).toBe(1);
      }),
      runs,
    );
  });

  test('Q5: no queue has two polls waiting, and a poll that waits has no event to receive', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 60, size: 'max' }), (steps) => {
        for (const { polls, ring, ephemerals, nowMs } of play(steps).nodes) {
          const waiting = polls.all();
          expect(new Set(waiting.map(({ queue }) => queue.id)).size).toBe(waiting.length);
          for (const { queue, lastEventId } of waiting) {
            const log = ring.after(readsAfter(queue, lastEventId));
            const recent = ephemerals.after(lastEventId, queue, ring.head, nowMs);
            expect(
              collectEvents(mergeByPosition(log, recent), queue, lastEventId, sets, limits).lines,
            ).toEqual([]);
          }
        }
      }),
      runs,
    );
  });
});
