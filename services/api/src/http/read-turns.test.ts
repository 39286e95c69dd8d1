import { type Caller, processDemand } from '@parley/kit';
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
    ['long replies are paced, those of an account', account(3), 2 * mebibyte, 0, 4100],
    ['long replies are paced, those of an address', address('::3'), 2 * mebibyte, 0, 1100],
    ['short replies are not', account(4), 100_000, 50, 0],
    ['replies that took long are paced, whatever their length', account(5), 100, 550, 2100],
    ['what took long and is long is charged for what costs more', account(6), 2 * mebibyte, 550, 4100],
  ])('%s', async (_, reader, length, tookMs, ms) => {
    expect(await readBesideOthers(reader, length, tookMs)).toBe(ms);
  });

  const failure = (code: string) =>
    new Error('The query failed.', { cause: Object.assign(new Error(), { code }) });
  test.each([
    ['reads that Postgres ends because they take too long are paced', account(7), failure('57014'), 8100],
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

test('a reader searches once at a time, and beside others for a quarter of the time', async () => {
  const turns = new ReadTurns();
  const ends: (() => void)[] = [];
  const begun: string[] = [];
  const search = (reader: Caller, name: string) =>
    turns.search(reader, async () => {
      begun.push(name);
      await new Promise<void>((resolve) => void ends.push(resolve));
    });
  const all = [search(account(1), 'a'), search(account(1), 'b'), search(account(2), 'c')];
  expect(begun).toEqual(['a', 'c']);
  await vi.advanceTimersByTimeAsync(400);
  processDemand.begin(account(99))();
  ends.splice(0).forEach((end) => end());
  for (let waitedMs = 0; waitedMs < 1200; waitedMs += 100) {
    expect(begun, `after ${waitedMs} ms`).toEqual(['a', 'c']);
    processDemand.begin(account(99))();
    await vi.advanceTimersByTimeAsync(100);
  }
  await vi.advanceTimersByTimeAsync(100);
  expect(begun).toEqual(['a', 'c', 'b']);
  ends.splice(0).forEach((end) => end());
  await Promise.all(all);
});

test('two search at once, whoever else reads, and a search that waits too long is refused', async () => {
  const turns = new ReadTurns();
  const ends: (() => void)[] = [];
  const search = (reader: Caller) =>
    turns.search(reader, () => new Promise<void>((resolve) => void ends.push(resolve)));
  const running = Array.from({ length: 2 }, (_, key) => search(account(key)));
  const late = search(account(4)).catch(String);
  expect(ends).toHaveLength(2);
  const read = turns.take(account(5), async () => ({ response: new Response(), length: 1 }));
  expect(await read).toMatchObject({ length: 1 });
  vi.advanceTimersByTime(30_001);
  ends.forEach((end) => end());
  await Promise.all(running);
  expect(await late).toContain('ApiError');
  expect(ends).toHaveLength(2);
});
