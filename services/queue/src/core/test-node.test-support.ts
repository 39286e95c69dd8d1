import type { PublishedEphemeral, Entry } from '@parley/protocol';

import { readsAfter, requiredHead } from './cursor.ts';
import { type Ephemerals, createEphemerals, mergeByPosition } from './ephemerals.ts';
import { createPoll, limits, readEntry, sets } from './fixtures.test-support.ts';
import type { Slot } from './poll.ts';
import { type Patience, type Polls, createPolls } from './polls.ts';
import type { Queue } from './queue.ts';
import { type Ring, createRing } from './ring.ts';

/** A queue node without its connections: what it has of the log, and the polls that wait. */
export interface TestNode {
  ring: Ring;
  ephemerals: Ephemerals;
  polls: Polls<Reply>;
  nowMs: number;
  /** How often it wanted room behind the log. */
  roomsWanted: number;
  sync(log: readonly Entry[], most?: number): void;
  /** An ephemeral event arrives at the node. */
  receive(event: PublishedEphemeral): void;
  poll(log: readonly Entry[], queue: Queue, lastEventId: number, reply: Reply, patience?: Patience): void;
}

interface Reply {
  receive(lines: readonly string[]): void;
}

export function createTestNode(): TestNode {
  const ring = createRing(0, limits);
  const ephemerals = createEphemerals();
  /** Where the last poll of each queue waited. */
  const slots = new Map<string, Slot<Reply> | null>();
  const node: TestNode = {
    ring,
    ephemerals,
    nowMs: 0,
    roomsWanted: 0,
    polls: createPolls<Reply>({
      sets,
      limits,
      nowMs: 0,
      onRoomWanted: () => (node.roomsWanted += 1),
      answer: (reply, _, lines) => reply.receive(lines),
    }),
    sync(log, most = log.length) {
      const run = log.slice(ring.head, ring.head + most).map(readEntry.logged);
      ring.append(run);
      node.polls.wake(1, mergeByPosition(run, ephemerals.reached(ring.head)));
    },
    receive(event) {
      const ephemeral = readEntry.ephemeral(event);
      if (ephemerals.add(ephemeral, ring.head, node.nowMs)) node.polls.wake(1, [ephemeral]);
    },
    poll(log, queue, lastEventId, reply, patience) {
      if (requiredHead(queue, lastEventId) > ring.head) node.sync(log);
      const logged = ring.after(readsAfter(queue, lastEventId));
      const recent = ephemerals.after(lastEventId, queue, ring.head, node.nowMs);
      const slot = slots.get(queue.id) ?? null;
      const poll = createPoll({ queue, lastEventId, reply, dueMs: node.nowMs + 45_000, log: ring, slot });
      if (node.polls.open(poll, mergeByPosition(logged, recent), patience)) slots.set(queue.id, poll.slot);
    },
  };
  return node;
}
