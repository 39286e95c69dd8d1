import {
  type EntryAudience,
  type CarriedEphemeral,
  Client,
  Entry,
  type EventFamily,
  type QueueRecord,
  event,
  events as eventConstructors,
} from '@parley/protocol';
import { z } from 'zod';

import { knowsUpTo, readsAfter } from './cursor.ts';
import { type Ephemerals, createEphemerals, inOrder } from './ephemerals.ts';
import type { MemberSets } from './matches-queue.ts';
import { type Polls, createPolls } from './polls.ts';
import { type Queue, createQueue } from './queue.ts';
import { createEntryReader } from './ready-entry.ts';
import { type Ring, createRing } from './ring.ts';

const note = event('note', { n: z.int() });
/** One event for a client that can, several for one that cannot. */
const bulk = event(
  'bulk',
  { ids: z.array(z.int()) },
  {
    forClient: (logged, client) =>
      client.bulk_message_deletion ? [logged] : logged.ids.map((id) => ({ type: 'bulk', id_alone: id })),
  },
);
const own = event('own', { n: z.int() }, { forQueue: (_, { userId }) => ({ mine: userId }) });
const silent = event('silent', {}, { forClient: () => [] });
/** Never in the log. */
const whisper = event('whisper', { n: z.int() });

export const families: ReadonlyMap<string, EventFamily> = new Map(
  [note, bulk, own, silent, whisper, eventConstructors.message].map((family) => [
    family.type,
    family as unknown as EventFamily,
  ]),
);

export const memberSets = new Map([
  [1, [10, 11]],
  [2, [11, 12, 13, 14]],
]);

export const sets: MemberSets = {
  isLoaded: (id) => memberSets.has(id),
  has: (id, userId) => memberSets.get(id)?.includes(userId) ?? false,
  size: (id) => memberSets.get(id)?.length ?? 0,
  members: (id) => memberSets.get(id) ?? [],
};

export function queueOf(over: Partial<QueueRecord>): Queue {
  return createQueue({
    id: `queue-${over.userId}`,
    realmId: 1,
    realm: 'zed',
    epoch: 'e',
    userId: 10,
    eventTypes: null,
    client: Client.parse({}),
    narrow: [],
    allPublicStreams: false,
    registeredAt: 0,
    ephemeralAt: 0,
    idleSeconds: 600,
    ...over,
  });
}

export const unreadable: string[] = [];
export const readEntry = createEntryReader({
  families,
  onUnreadable: ({ event: { type } }) => unreadable.push(type),
  secrets: { apiKeyOf: ({ id, keyGeneration }) => `key ${keyGeneration} of ${id}` },
});

export function entryOf(seq: number, audience: EntryAudience, logged: Entry['event']): Entry {
  return Entry.parse({ seq, audience, event: logged });
}

export const whisperOf = (over: Partial<CarriedEphemeral>): CarriedEphemeral => {
  const { n = 1 } = over;
  return { realmId: 1, n, after: 0, users: [10], event: { type: 'whisper', n }, ...over };
};

interface Reply {
  receive(lines: readonly string[]): void;
}

/** A queue node without the machine around it: what it has of the log, and who waits. */
export interface Node {
  ring: Ring;
  ephemerals: Ephemerals;
  polls: Polls<Reply>;
  nowMs: number;
  sync(log: readonly Entry[], most?: number): void;
  /** Something that was said beside the log reaches the node. */
  overhear(event: CarriedEphemeral): void;
  ask(log: readonly Entry[], queue: Queue, lastEventId: number, reply: Reply, dontBlock: boolean): void;
}

export const limits = { repliedEventsMax: 3, repliedBytesMax: 75, ringEntriesMax: 1000, ringBytesMax: 1e9 };

export function createNode(): Node {
  const ring = createRing(0, limits);
  const ephemerals = createEphemerals();
  const node: Node = {
    ring,
    ephemerals,
    nowMs: 0,
    polls: createPolls<Reply>({
      sets,
      limits,
      nowMs: 0,
      headOf: () => ring.head,
      answer: (reply, _, lines) => reply.receive(lines),
    }),
    sync(log, most = log.length) {
      const run = log.slice(ring.head, ring.head + most).map(readEntry.logged);
      ring.append(run);
      node.polls.wake(1, inOrder(run, ephemerals.reached(ring.head)));
    },
    overhear(event) {
      const ephemeral = readEntry.ephemeral(event);
      if (ephemerals.add(ephemeral, ring.head, node.nowMs)) node.polls.wake(1, [ephemeral]);
    },
    ask(log, queue, lastEventId, reply, dontBlock) {
      if (knowsUpTo({ registeredAt: queue.registeredAt, lastEventId }) > ring.head) node.sync(log);
      const unheard = ring.after(readsAfter({ registeredAt: queue.registeredAt, lastEventId }));
      const beside = ephemerals.after(lastEventId, queue.userId, ring.head, node.nowMs);
      const question = { queue, lastEventId, reply, dueMs: node.nowMs + 45_000 };
      node.polls.ask(question, inOrder(unheard, beside), dontBlock);
    },
  };
  return node;
}
