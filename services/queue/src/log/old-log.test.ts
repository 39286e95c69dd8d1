import type { Entry } from '@parley/protocol';
import { expect, test } from 'vitest';

import { createEphemerals } from '../core/ephemerals.ts';
import { entryOf, readEntry } from '../core/fixtures.test-support.ts';
import { createRing } from '../core/ring.ts';
import { createOldLog } from './old-log.ts';

/** A log in memory of entries after `floor` up to `head`; every third entry is long. */
function openLog(floor: number, head: number) {
  const state = { floor, head, reads: 0, term: '' };
  const lengthOf = (seq: number) => (seq % 3 === 0 ? 60 : 20);
  const oldLog = createOldLog(
    {
      readEntry,
      readTerm: () => Promise.resolve(state.term),
      async read(_realmId, after, { entries: count, bytes }) {
        state.reads += 1;
        const entries: Entry[] = [];
        let seq = Math.max(after, state.floor) + 1;
        for (let length = 0; seq <= state.head && entries.length < count; seq += 1) {
          length += lengthOf(seq);
          if (length > bytes && entries.length > 0) break;
          entries.push(entryOf(seq, {}, { type: 'note', n: seq }));
        }
        return { entries, hasMore: seq <= state.head };
      },
    },
    // Room for two pages.
    { entries: 10, bytes: 200, keptBytesMax: 12_000 },
  );
  const ringAt = () => createRing(state.head, { ringEntriesMax: 1, ringBytesMax: 1 });
  const realm = { id: 1, epoch: 'e', ring: ringAt(), ephemerals: createEphemerals() };
  const follow = () => Object.assign(realm, { ring: ringAt() });
  const read = async (after: number) => {
    return (await oldLog.read(realm, after))?.map(({ seq }) => seq) ?? null;
  };
  return { state, read, follow };
}

/** All that is read from a seq on, read after read. */
async function readAll(read: (after: number) => Promise<number[] | null>, from: number, to: number) {
  const seqs: number[] = [];
  for (let after = from; after < to;) {
    const page = await read(after);
    if (!page) return null;
    seqs.push(...page);
    after = page.at(-1) ?? to;
  }
  return seqs;
}

test('the old log reads every entry once, in order, whatever pages their lengths make', async () => {
  const { read } = openLog(0, 97);
  for (const from of [0, 1, 9, 10, 13, 50, 96]) {
    const expected = Array.from({ length: 97 - from }, (_, index) => from + index + 1);
    expect(await readAll(read, from, 97)).toEqual(expected);
  }
});

test('the old log shares the pages that will stay the same, and keeps no more of them than it may', async () => {
  const { state, read } = openLog(0, 97);
  await Promise.all([read(0), read(1), read(2)]);
  await read(3);
  expect(state.reads).toBe(1);
  await read(20);
  await read(40);
  await read(0);
  expect(state.reads).toBe(4);
});

test('the old log reads the newest page again when the log has grown', async () => {
  const { state, read, follow } = openLog(0, 92);
  expect(await read(90)).toEqual([91, 92]);
  state.head = 94;
  expect(await read(90), 'the ring has what is behind its floor').toEqual([91, 92]);
  follow();
  expect(await read(92)).toEqual([93, 94]);
});

test('the old log reads pages again for a realm that is followed anew', async () => {
  const { state, read, follow } = openLog(0, 97);
  await read(0);
  follow();
  await read(0);
  expect(state.reads).toBe(2);
});

test('the old log answers null where Postgres has another history below the ring', async () => {
  const { state, read } = openLog(0, 97);
  state.term = 'another';
  expect(await read(5)).toBeNull();
  expect(await read(15)).toBeNull();
  state.term = '';
  expect((await read(5))?.[0]).toBe(6);
});

test('the old log answers null where the log is trimmed past the cursor, and reads what is left', async () => {
  const { read } = openLog(24, 97);
  expect(await read(5)).toBeNull();
  expect(await read(23)).toBeNull();
  expect((await read(24))?.[0]).toBe(25);
});

test('the old log reads a page again that could not be read', async () => {
  let fails = true;
  const failing = createOldLog({
    readEntry,
    readTerm: () => Promise.resolve(''),
    read: () =>
      fails
        ? Promise.reject(new Error('away'))
        : Promise.resolve({ entries: [entryOf(1, {}, { type: 'note', n: 1 })], hasMore: false }),
  });
  const realm = {
    id: 1,
    epoch: 'e',
    ring: createRing(9, { ringEntriesMax: 1, ringBytesMax: 1 }),
    ephemerals: createEphemerals(),
  };
  await expect(failing.read(realm, 0)).rejects.toThrow('away');
  fails = false;
  expect((await failing.read(realm, 0))?.map(({ seq }) => seq)).toEqual([1]);
});

test('a log that has nothing after an entry has no page after it', async () => {
  const { read } = openLog(0, 20);
  expect(await read(20)).toBeNull();
});

test('pages are of 200 entries and of a mebibyte', async () => {
  const asked: unknown[] = [];
  const oldLog = createOldLog({
    readEntry,
    readTerm: () => Promise.resolve(''),
    async read(_realmId, after, limits) {
      asked.push([after, limits]);
      return { entries: [entryOf(after + 1, {}, { type: 'note', n: 1 })], hasMore: true };
    },
  });
  const ring = createRing(1000, { ringEntriesMax: 1, ringBytesMax: 1 });
  await oldLog.read({ id: 1, epoch: 'e', ring, ephemerals: createEphemerals() }, 400);
  expect(asked).toEqual([[400, { entries: 200, bytes: 1_048_576 }]]);
});
