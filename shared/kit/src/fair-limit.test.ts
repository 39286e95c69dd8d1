import { expect, test } from 'vitest';

import { createFairLimit } from './fair-limit.ts';

/** A limit with a clock that is moved by hand, work that takes what it is told to, and waits that end when told to. */
function createLimit(waitingMax = { all: 2, ofKey: 2 }) {
  const clock = { ms: 0 };
  const waits: number[] = [];
  const ends: (() => void)[] = [];
  const wait = (ms: number) => {
    waits.push(ms);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const limit = createFairLimit<string>({ atOnce: 1, waitingMax, nowMs: () => clock.ms, wait });
  const done: string[] = [];
  const run = (name: string, ms = 10) =>
    limit.run(name.charAt(0), async () => {
      clock.ms += ms;
      done.push(name);
      return name;
    });
  return { ...limit, run, done, waits, endWaits: () => ends.splice(0).forEach((end) => end()) };
}

/** A limit with a clock that is moved by hand, and waits that are over at once. */
function createRecording() {
  const clock = { ms: 0 };
  const waits: number[] = [];
  const wait = async (ms: number) => void waits.push(ms);
  const waitingMax = { all: 2, ofKey: 2 };
  const limit = createFairLimit<string>({ atOnce: 1, waitingMax, nowMs: () => clock.ms, wait });
  return { limit, clock, waits };
}

const soon = () => new Promise(setImmediate);

test('one thing is done for a key at a time, and then none for three times as long', async () => {
  const { run, done, waits, endWaits } = createLimit();
  const running = [run('a1', 70), run('a2', 5), run('b1', 30)];
  await soon();
  expect(done).toEqual(['a1', 'b1']);
  expect(waits).toEqual([210, 90]);
  endWaits();
  expect(await Promise.all(running)).toEqual(['a1', 'a2', 'b1']);
  expect(waits).toEqual([210, 90, 15]);
});

test('a key rests for as many times as long as it is told', async () => {
  const { limit, clock, waits } = createRecording();
  await limit.run('a', async () => (clock.ms += 40), { factor: 9 });
  await soon();
  expect(waits).toEqual([360]);
});

test('what fails counts like what succeeds', async () => {
  const { limit, clock, waits } = createRecording();
  const failing = limit.run('a', async () => {
    clock.ms += 40;
    throw new Error('broken');
  });
  await expect(failing).rejects.toThrow('broken');
  await soon();
  expect(waits).toEqual([120]);
});

test('a key rests longer where its result says so, and never less', async () => {
  const { limit, clock, waits } = createRecording();
  const take = (ms: number, restMs: number) =>
    limit.run(
      'a',
      async () => {
        clock.ms += ms;
        return restMs;
      },
      { msOf: (result) => result },
    );
  await Promise.all([take(40, 500), take(40, 100)]);
  await soon();
  expect(waits).toEqual([500, 120]);
});

test('a bounded amount may wait for one key, and for all together', async () => {
  let open = () => {};
  const limit = createFairLimit<string>({ atOnce: 1, waitingMax: { all: 2, ofKey: 1 } });
  const gate = new Promise<void>((resolve) => {
    open = resolve;
  });
  const running = [limit.run('a', () => gate), limit.run('a', () => gate)];
  await soon();
  expect([limit.isFull('a'), limit.isFull('b')]).toEqual([true, false]);
  running.push(
    limit.run('b', () => gate),
    limit.run('c', () => gate),
  );
  await soon();
  expect(limit.isFull('d')).toBe(true);
  open();
  await Promise.all(running);
  expect(limit.isFull('d')).toBe(false);
});
