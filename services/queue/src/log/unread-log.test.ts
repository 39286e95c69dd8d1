import { type Audiences, termOf } from '@parley/log';
import type { Entry } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import { createEphemerals } from '../core/ephemerals.ts';
import {
  entryOf,
  ephemeralOf,
  limits,
  noteOf,
  queueOf,
  readEntry,
  sets,
} from '../core/fixtures.test-support.ts';
import type { Queue } from '../core/queue.ts';
import { createRing } from '../core/ring.ts';
import type { Realm } from './realms.ts';
import { createUnreadLog } from './unread-log.ts';

interface Asked {
  registeredAt?: number;
  /** The client has acknowledged all that this entry became. */
  lastSeq?: number;
  epoch?: string;
  eventTypes?: string[];
  /** How far a node had read, as the registry knows. */
  position?: { seq: number; term: string };
}

interface Opened {
  head: number;
  here?: number;
  kept?: number;
  /** The terms of the entries, a letter each; the last is that of all behind it. */
  terms?: string;
}

/** A log whose entries are notes for user 10, of which a node has those up to `here`, the newest `kept` in its ring. */
function openLog({ head, here = head, kept = here, terms = '' }: Opened) {
  const log: Entry[] = Array.from({ length: head }, (_, index) => ({
    ...noteOf(index + 1, [10]),
    term: terms[index] ?? terms.at(-1) ?? '',
  }));
  const ready = (entries: Entry[]) => entries.map(readEntry.logged);
  const ring = createRing(here - kept, limits, log[here - kept - 1]?.term ?? '');
  ring.append(ready(log.slice(here - kept, here)));
  const realm: Realm = { id: 1, epoch: 'e', ring, ephemerals: createEphemerals() };
  const state = {
    log,
    realm,
    isFollowed: true,
    epoch: 'e',
    /** Entries up to this one are trimmed. */
    trimmed: 0,
    loaded: new Set([1]),
    /** So many audiences fit in memory. */
    fits: Number.POSITIVE_INFINITY,
    /** Happens while something is waited for. */
    meanwhile: () => {},
    pageEntries: 2,
    /** Positions that the log was said to have lost. */
    claimed: [] as string[],
    /** What the registry knows of the queue by now. */
    renewed: undefined as { seq: number; term: string } | undefined,
    /** The registry does not answer. */
    isAway: false,
    pauses: 0,
    nowMs: 0,
  };
  const meanwhile = async () => {
    await Promise.resolve();
    state.meanwhile();
  };
  const audiences: Audiences = {
    ...sets,
    hear: () => undefined,
    isLoaded: (id: number) => state.loaded.has(id),
    has(id, userId) {
      if (!state.loaded.has(id)) throw new Error(`Audience ${id} was used before it was loaded.`);
      return sets.has(id, userId);
    },
    async load(ids) {
      await meanwhile();
      for (const id of ids) state.loaded.add(id);
      for (const id of state.loaded) if (state.loaded.size > state.fits) state.loaded.delete(id);
    },
  };
  const unread = createUnreadLog({
    realms: {
      find: () => (state.isFollowed ? realm : undefined),
      async catchUp() {
        await meanwhile();
        if (state.isFollowed) ring.append(ready(state.log.slice(ring.head)));
      },
      async checkEpoch() {
        await meanwhile();
        if (state.epoch !== realm.epoch) state.isFollowed = false;
      },
    },
    oldLog: {
      async read(_, after) {
        await meanwhile();
        return after < state.trimmed ? null : ready(state.log.slice(after, after + state.pageEntries));
      },
    },
    audiences,
    limits,
    clock: { nowMs: () => state.nowMs },
    async readTerm(_, seq) {
      await meanwhile();
      return termOf(state.log[seq - 1] ?? {});
    },
    readPosition: () =>
      state.isAway ? Promise.reject(new Error('Redis is away.')) : Promise.resolve(state.renewed),
    pause: async (ms: number) => {
      state.nowMs += ms;
      await meanwhile();
      state.pauses += 1;
    },
    onLostPosition: (_, { seq, term }) => void state.claimed.push(`${seq} ${term}`),
  });
  const seqs = (entries: readonly { seq: number }[] | null) => entries?.map(({ seq }) => seq) ?? null;
  /** What is read of memory at once, and what after it was loaded: the numbers of entries, or null. */
  async function readFor(queue: Queue, lastSeq?: number) {
    const cursor = lastSeq === undefined ? -1 : queue.ids.behind(lastSeq);
    const inMemory = seqs(unread.inMemory(realm, queue, cursor));
    const loaded = await unread.load(realm, queue, cursor);
    return [inMemory, loaded && seqs(unread.afterLoad(loaded, realm, queue, cursor))];
  }
  return {
    state,
    readFor,
    read: ({ registeredAt = 0, lastSeq, ...more }: Asked) =>
      readFor(queueOf({ userId: 10, registeredAt, ...more }), lastSeq),
  };
}

const refused = { code: 'BAD_EVENT_QUEUE_ID' };

test('what the ring holds after the cursor is read at once', async () => {
  const { read } = openLog({ head: 5 });
  expect(await read({})).toEqual([
    [1, 2, 3, 4, 5],
    [1, 2, 3, 4, 5],
  ]);
  expect((await read({ registeredAt: 2 }))[0]).toEqual([3, 4, 5]);
  expect((await read({ lastSeq: 4 }))[0]).toEqual([5]);
  expect((await read({ lastSeq: 5 }))[0]).toEqual([]);
});

test('a node that is behind the client, or behind its registration, waits for the log', async () => {
  expect(await openLog({ head: 6, here: 3 }).read({ lastSeq: 4 })).toEqual([null, [5, 6]]);
  expect(await openLog({ head: 6, here: 3 }).read({ registeredAt: 4 })).toEqual([null, [5, 6]]);
});

test('a client that is ahead of the whole log has its cursor from another', async () => {
  await expect(openLog({ head: 6, here: 3 }).read({ lastSeq: 7 })).rejects.toMatchObject(refused);
  await expect(openLog({ head: 6 }).read({ registeredAt: 7 })).rejects.toMatchObject(refused);
});

test('a queue of a log that is no more is refused, and begins anew where the node is what is behind', async () => {
  const { state, read } = openLog({ head: 5 });
  await expect(read({ epoch: 'older' })).rejects.toMatchObject(refused);
  state.epoch = 'newer';
  expect(await read({ epoch: 'newer' })).toEqual([null, null]);
});

test('an audience that is not in memory is loaded before anybody is passed over', async () => {
  const { state, read } = openLog({ head: 1 });
  state.realm.ring.append([readEntry.logged(entryOf(2, { members: [2] }, { type: 'note', n: 2 }))]);
  expect(await read({})).toEqual([null, [1, 2]]);
  expect(await read({})).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

test('an audience that only old entries name is loaded as well', async () => {
  const { state, read } = openLog({ head: 9, kept: 2 });
  state.log[2] = entryOf(3, { members: [2] }, { type: 'note', n: 3 });
  expect(await read({ lastSeq: 2 })).toEqual([null, [3, 4]]);
});

test('whoever needs an audience that Postgres lacks is told to come again', async () => {
  const { state, read } = openLog({ head: 1, kept: 1 });
  state.fits = 0;
  const entry = entryOf(2, { members: [2] }, { type: 'note' });
  state.log.push(entry);
  state.realm.ring.append([readEntry.logged(entry)]);
  await expect(read({ lastSeq: 1 })).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
});

test.each([
  ['the ring', 1],
  ['older entries', 0],
])(
  'audiences of %s that do not fit in memory together are loaded for fewer entries at a time',
  async (_, kept) => {
    const { state, read } = openLog({ head: 1, kept });
    state.fits = 1;
    const entries = [2, 1, 2, 1].map((id, index) =>
      entryOf(index + 2, { members: [id] }, { type: 'note', n: index }),
    );
    state.log.push(...entries);
    state.pageEntries = 4;
    state.realm.ring.append(entries.map(readEntry.logged));
    if (kept === 0) state.realm.ring[Symbol.dispose]();
    expect(await read({ lastSeq: 1 })).toEqual([null, [3]]);
    expect((await read({ lastSeq: 3 }))[1]).toEqual([5]);
  },
);

test('what is older than the ring is read a page at a time, over pages without anything for the queue', async () => {
  expect(await openLog({ head: 9, kept: 2 }).read({ lastSeq: 2 })).toEqual([null, [3, 4]]);
  expect(await openLog({ head: 9, kept: 2 }).read({ eventTypes: ['own'] })).toEqual([null, [9]]);
});

test('pages of one entry are as good as any', async () => {
  const { state, read } = openLog({ head: 9, kept: 2 });
  state.pageEntries = 1;
  expect(await read({ eventTypes: ['own'] })).toEqual([null, [8, 9]]);
});

test('what is trimmed from the log is refused', async () => {
  const { state, read } = openLog({ head: 9, kept: 2 });
  state.trimmed = 3;
  await expect(read({ lastSeq: 2 })).rejects.toMatchObject(refused);
  expect(await read({ lastSeq: 3 })).toEqual([null, [4, 5]]);
});

test.each([
  ['the log is caught up with', { head: 6, here: 3 }, { lastSeq: 4 }],
  ['old entries are read', { head: 9, kept: 2 }, { lastSeq: 2 }],
  ['audiences are loaded', { head: 6 }, {}],
])('nothing is read of a realm that is lost while %s', async (_, sizes, cursor) => {
  const { state, read } = openLog(sizes);
  state.meanwhile = () => {
    state.isFollowed = false;
  };
  expect((await read(cursor))[1]).toBeNull();
});

test('ephemeral events stand between the entries, after the cursor', async () => {
  const { state, read } = openLog({ head: 3 });
  const { ring, ephemerals } = state.realm;
  for (const after of [1, 2, 3]) {
    ephemerals.add(readEntry.ephemeral(ephemeralOf({ after, n: after + 11 })), ring.head, 0);
  }
  expect((await read({ lastSeq: 1 }))[0]).toEqual([1, 2, 2, 3, 3]);
});

test('ephemeral events are not read where the entries before them are not there', async () => {
  const { state, read } = openLog({ head: 9, kept: 2 });
  state.realm.ephemerals.add(readEntry.ephemeral(ephemeralOf({ after: 9 })), 9, 0);
  expect(await read({ lastSeq: 2 })).toEqual([null, [3, 4]]);
});

describe('a queue of which this node knows no more than the registry does', () => {
  /** Entry 4 is the first that another server wrote. */
  const terms = 'aaab';

  test.each([
    ['is served up to its position, if the log has that', { seq: 3, term: 'a' }, 2],
    ['is served at its position', { seq: 3, term: 'a' }, 3],
    ['is served beyond its position, in the same term', { seq: 2, term: 'a' }, 3],
    ['is served in a term before that of its position', { seq: 5, term: 'b' }, 3],
    ['is served at the position that it began with', { seq: 6, term: 'b' }, 6],
  ])('%s', async (_, position, lastSeq) => {
    const all = [1, 2, 3, 4, 5, 6].slice(lastSeq);
    const { read, state } = openLog({ head: 6, terms });
    expect(await read({ position, lastSeq })).toEqual([all, all]);
    // What has left the ring is looked up.
    const older = openLog({ head: 6, kept: 1, terms });
    expect((await older.read({ position, lastSeq }))[1]?.slice(0, 2)).toEqual(all.slice(0, 2));
    expect([state.claimed, older.state.claimed]).toEqual([[], []]);
  });

  test.each([
    ['is refused at an entry that is not the one that it has heard', { seq: 5, term: 'a' }, 5],
    ['is refused if its position is lost, though its client is before it', { seq: 5, term: 'a' }, 2],
    ['is refused beyond its position, in a term that no node has vouched for', { seq: 3, term: 'a' }, 4],
    ['is refused if its position is in a term that the log never had', { seq: 3, term: 'x' }, 3],
    ['is refused if its position is beyond the log', { seq: 9, term: 'b' }, 2],
    ['is refused if its client and its position are beyond the log', { seq: 9, term: 'b' }, 9],
  ])('%s', async (_, position, lastSeq) => {
    for (const kept of [6, 1]) {
      const { read, state } = openLog({ head: 6, kept, terms });
      await expect(read({ position, lastSeq })).rejects.toMatchObject(refused);
      expect(state.claimed).toEqual([`${position.seq} ${position.term}`]);
    }
  });

  test('is served in a later term once the node that has served it there says so', async () => {
    const { read, state } = openLog({ head: 6, terms });
    state.meanwhile = () => {
      if (state.pauses === 3) state.renewed = { seq: 5, term: 'b' };
    };
    expect(await read({ position: { seq: 3, term: 'a' }, lastSeq: 5 })).toEqual([null, [6]]);
    expect(state.claimed).toEqual([]);
  });

  test('is asked to come back while the registry cannot say which node has served it there', async () => {
    const { read, state } = openLog({ head: 6, terms });
    state.isAway = true;
    const asked = read({ position: { seq: 3, term: 'a' }, lastSeq: 5 });
    await expect(asked).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
    expect(state.claimed).toEqual([]);
  });

  test('is served whatever its number names, if it is of a node that knows no terms', async () => {
    const { read } = openLog({ head: 6, terms });
    expect(await read({ lastSeq: 5 })).toEqual([[6], [6]]);
  });
});

describe('a queue whose cursors this node has proved', () => {
  /** Entry 3 is the first that another server wrote. */
  const terms = 'aab';

  async function proved() {
    const log = openLog({ head: 5, terms });
    const queue = queueOf({ userId: 10, registeredAt: 0, position: { seq: 1, term: 'a' } });
    await log.readFor(queue, 2);
    return { ...log, queue };
  }

  test('is served at each of them, whatever the registry says meanwhile', async () => {
    const { readFor, queue } = await proved();
    expect([queue.provenTo, await readFor(queue, 1)]).toEqual([
      2,
      [
        [2, 3, 4, 5],
        [2, 3, 4, 5],
      ],
    ]);
  });

  test('is refused at one that another node has handed out in a history that is lost', async () => {
    const { readFor, queue } = await proved();
    await expect(readFor(queue, 3)).rejects.toMatchObject(refused);
  });

  test('is served at one that another node has handed out, and vouches for', async () => {
    const { readFor, queue, state } = await proved();
    state.renewed = { seq: 3, term: 'b' };
    expect(await readFor(queue, 4)).toEqual([null, [5]]);
    expect([queue.provenTo, state.pauses]).toEqual([4, 0]);
  });
});
