import { type Caller, Demand, processDemand } from '@parley/kit';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';

import { type Reply, ReadTurns } from './read-turns.ts';

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** Turns, and reads that end when they are told to, with an error if they have one. */
function createReads(error?: Error) {
  const turns = new ReadTurns();
  const served: string[] = [];
  const ends: (() => void)[] = [];
  const read = (reader: Caller, name: string, length = 100) =>
    turns.take(reader, async () => {
      served.push(name);
      await new Promise<void>((resolve) => void ends.push(resolve));
      if (error) throw error;
      return { response: new Response(), length } satisfies Reply;
    });
  return { served, read, endAll: () => ends.splice(0).forEach((end) => end()) };
}

const account = (key: number): Caller => ({ key });
const address = (key: string): Caller => ({ key });

test('an account has two reads at once, an address eight, and no other reader waits for them', async () => {
  const { served, read } = createReads();
  for (let index = 0; index < 3; index += 1) void read(account(1), `a${index}`);
  for (let index = 0; index < 9; index += 1) void read(address('::1'), `b${index}`);
  void read(account(2), 'c');
  expect(served.filter((name) => name.startsWith('a'))).toHaveLength(2);
  expect(served.filter((name) => name.startsWith('b'))).toHaveLength(8);
  expect(served).toContain('c');
});

describe('while others ask for something', () => {
  /** Somebody reads twice, and then once more, as far as others who keep asking leave them time. */
  async function readBesideOthers(reader: Caller, length: number, tookMs: number, error?: Error) {
    const { served, read, endAll } = createReads(error);
    const running = [read(reader, 'a', length), read(reader, 'b', length)];
    await vi.advanceTimersByTimeAsync(tookMs);
    processDemand.begin(account(99))();
    endAll();
    await Promise.allSettled(running);
    await vi.advanceTimersByTimeAsync(0);
    void read(reader, 'next', length);
    let waitedMs = 0;
    for (; !served.includes('next'); waitedMs += 100) {
      processDemand.begin(account(99))();
      await vi.advanceTimersByTimeAsync(100);
    }
    return waitedMs;
  }

  const mebibyte = 1024 * 1024;
  test.each([
    ['long replies are paced, those of an account', account(3), 2 * mebibyte, 0, 6200],
    ['long replies are paced, those of an address', address('::3'), 8 * mebibyte, 0, 6200],
    ['long replies of which few come at once are not', account(9), mebibyte / 2, 0, 100],
    ['short replies are not', account(4), 100_000, 50, 0],
    ['replies that took long are paced, whatever their length', account(5), 100, 1550, 4100],
    ['what took long and is long is charged for what costs more', account(6), 2 * mebibyte, 550, 6200],
  ])('%s', async (_, reader, length, tookMs, ms) => {
    expect(await readBesideOthers(reader, length, tookMs)).toBe(ms);
  });

  const failure = (code: string) =>
    new Error('The query failed.', { cause: Object.assign(new Error(), { code }) });
  test.each([
    ['reads that Postgres ends because they take too long are paced', account(7), failure('57014'), 6100],
    ['reads that fail because Postgres does not answer are not', account(8), failure('CONNECTION_CLOSED'), 0],
  ])('%s', async (_, reader, error, ms) => {
    expect(await readBesideOthers(reader, 100, 2050, error)).toBe(ms);
  });
});

test('a read that waits too long is refused, and so is more than may wait', async () => {
  const { served, read, endAll } = createReads();
  const running = [read(account(1), 'a'), read(account(1), 'b')];
  const waiting = Array.from({ length: 200 }, (_, index) => read(account(1), `${index}`).catch(String));
  await expect(read(account(1), 'one more')).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
  vi.advanceTimersByTime(30_001);
  endAll();
  await Promise.all(running);
  for (const outcome of await Promise.all(waiting)) expect(outcome).toContain('ApiError');
  expect(served).toEqual(['a', 'b']);
  const later = read(account(1), 'later');
  endAll();
  await later;
  expect(served.at(-1)).toBe('later');
});

/** Turns, and searches that end when they are told to. */
function createSearches() {
  const demand = new Demand();
  const turns = new ReadTurns(demand);
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const search = (reader: Caller, name: string) =>
    turns.search(reader, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => void ends.push(resolve));
    });
  const wantSomething = () => demand.begin(account(99))();
  return { turns, begun, search, wantSomething, endAll: () => ends.splice(0).forEach((end) => end()) };
}

test('a reader searches once at a time, and beside others for a quarter of the time', async () => {
  const { begun, search, wantSomething, endAll } = createSearches();
  const all = [search(account(1), 'a'), search(account(1), 'b')];
  expect(begun).toEqual(['a']);
  await vi.advanceTimersByTimeAsync(400);
  wantSomething();
  endAll();
  for (let waitedMs = 0; waitedMs < 1200; waitedMs += 100) {
    expect(begun, `after ${waitedMs} ms`).toEqual(['a']);
    wantSomething();
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(100);
  expect(begun).toEqual(['a', 'b']);
  endAll();
  await Promise.all(all);
});

test('two search at once, or one after the other for a quarter of the time while others want something', async () => {
  const { begun, search, wantSomething, endAll } = createSearches();
  const all = ['a', 'b', 'c', 'd'].map((name, key) => search(account(key), name));
  expect(begun).toEqual(['a', 'b']);
  await vi.advanceTimersByTimeAsync(400);
  endAll();
  for (let waitedMs = 0; waitedMs < 1200; waitedMs += 100) {
    wantSomething();
    await vi.advanceTimersByTimeAsync(100);
    expect(begun, `after ${waitedMs} ms`).toEqual(['a', 'b']);
  }
  await vi.advanceTimersByTimeAsync(100);
  expect(begun).toEqual(['a', 'b', 'c']);
  for (let ended = 0; ended < 2; ended += 1) {
    endAll();
    await vi.advanceTimersByTimeAsync(1500);
  }
  await Promise.all(all);
});

test('a search that waits too long is refused, and what else is read waits for none', async () => {
  const { turns, begun, search, endAll } = createSearches();
  const running = [search(account(0), 'a'), search(account(1), 'b')];
  const late = search(account(4), 'late').catch(String);
  const read = turns.take(account(5), async () => ({ response: new Response(), length: 1 }));
  expect(await read).toMatchObject({ length: 1 });
  vi.advanceTimersByTime(30_001);
  endAll();
  await Promise.all(running);
  expect(await late).toContain('ApiError');
  expect(begun).not.toContain('late');
});
