import {
  type EntryAudience,
  type PublishedEphemeral,
  Client,
  Entry,
  type EventFamily,
  type QueueRecord,
  event,
  events as eventConstructors,
  roomsFor,
} from '@parley/protocol';
import { z } from 'zod';

import type { MemberSets } from './matches-queue.ts';
import type { Poll } from './poll.ts';
import { Queue } from './queue.ts';
import { createEntryParser } from './ready-entry.ts';

const note = event('note', { n: z.int() });
/** One event for a client with the capability, several for one without. */
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
const listing = event('listing', { subscribers_of: z.int() });
/** Never in the log. */
const ephemeral = event('ephemeral', { n: z.int() });

export const families: ReadonlyMap<string, EventFamily> = new Map(
  [note, bulk, own, silent, listing, ephemeral, eventConstructors.message, eventConstructors.room].map(
    (family) => [family.type, family as unknown as EventFamily],
  ),
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

export const limits = {
  repliedEventsMax: 3,
  repliedBytesMax: 75,
  ringEntriesMax: 1000,
  ringBytesMax: 1e9,
  ringTotalBytesMax: 1e9,
  ephemeralMs: 5000,
};

export function queueOf(over: Partial<QueueRecord>): Queue {
  return new Queue({
    id: `queue-${over.userId}`,
    realmId: 1,
    realm: 'zed',
    epoch: 'e',
    userId: 10,
    eventTypes: null,
    client: Client.parse({}),
    mirror: '',
    narrow: [],
    allPublicStreams: false,
    registeredAt: 0,
    ephemeralAt: 0,
    idForm: 'dense',
    idleSeconds: 600,
    ...over,
  });
}

export const unreadable: string[] = [];
export const readEntry = createEntryParser({
  families,
  onUnreadable: ({ event: { type } }) => unreadable.push(type),
  values: {
    apiKeyOf: ({ id, keyGeneration }) => `key ${keyGeneration} of ${id}`,
    membersOf: (audienceId) => [audienceId],
  },
});

export function entryOf(seq: number, audience: EntryAudience, logged: Entry['event']): Entry {
  return Entry.parse({ seq, audience, event: logged });
}

/** A bulk event as it is appended: behind as many entries as its ids take. */
export function bulkOf(seq: number, audience: EntryAudience, ids: number[]): Entry[] {
  const rooms = roomsFor(ids.length);
  const reserved = { type: 'room', reserved: true };
  return [
    ...Array.from({ length: rooms }, (_, index) => entryOf(seq + index, { users: [] }, reserved)),
    { ...entryOf(seq + rooms, audience, { type: 'bulk', ids }), rooms },
  ];
}

export const noteOf = (seq: number, users: number[]) => entryOf(seq, { users }, { type: 'note', n: seq });

export const ephemeralOf = (over: Partial<PublishedEphemeral>): PublishedEphemeral => {
  const { n = 1 } = over;
  return { realmId: 1, n, after: 0, users: [10], event: { type: 'ephemeral', n }, ...over };
};

/** A poll that no entry has been tested against. */
export function createPoll<Reply>(poll: Omit<Poll<Reply>, 'testedKey' | 'batch'>): Poll<Reply> {
  const { queue, lastEventId, reply, dueMs, log, slot } = poll;
  return { queue, lastEventId, reply, dueMs, log, slot, testedKey: 0, batch: null };
}
