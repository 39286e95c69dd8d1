import { expect, test } from 'vitest';

import { type Requester, createReadTurns } from './read-turns.ts';

const mebibyte = 1024 * 1024;
const soon = () => new Promise(setImmediate);

/** Turns whose waits end when they are told to, and a clock that is moved by hand. */
function createTurns() {
  const clock = { ms: 0 };
  const rests: number[] = [];
  const ends: (() => void)[] = [];
  const wait = (ms: number) => {
    rests.push(ms);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  const turns = createReadTurns({ nowMs: () => clock.ms, wait });
  const served: string[] = [];
  const read = async (reader: Requester, name: string, length = 0) => {
    const reply = { response: new Response(), length };
    return await turns.take(reader, async () => {
      served.push(name);
      return reply;
    });
  };
  return { clock, rests, served, read, endRests: () => ends.splice(0).forEach((end) => end()) };
}

test('a long reply is paced by its length, and no other reader waits for it', async () => {
  const { rests, served, read, endRests } = createTurns();
  const reading = ['first', 'second', 'third'].map((name) => read({ userId: 1 }, name, 2 * mebibyte));
  await read({ userId: 2 }, 'another user');
  await read({ address: '127.0.0.1' }, 'somebody without an account');
  await soon();
  expect(rests).toEqual([4096, 4096]);
  expect(served).toEqual(['first', 'second', 'another user', 'somebody without an account']);
  endRests();
  await Promise.all(reading);
  expect(served.at(-1)).toBe('third');
});

test('short replies are not paced', async () => {
  const { rests, served, read } = createTurns();
  await Promise.all(Array.from({ length: 20 }, (_, index) => read({ userId: 1 }, `${index}`, 100_000)));
  expect(rests).toEqual([]);
  expect(served).toHaveLength(20);
});

test('an address has eight turns', async () => {
  const { served, read } = createTurns();
  for (let index = 0; index < 10; index += 1) void read({ address: '::1' }, `${index}`, mebibyte);
  await soon();
  expect(served).toHaveLength(8);
});

test('what waits too long is refused, and so is more than may wait', async () => {
  const { clock, served, read, endRests } = createTurns();
  const user = { userId: 1 };
  await Promise.all([read(user, 'a', mebibyte), read(user, 'b', mebibyte)]);
  const waiting = Array.from({ length: 200 }, (_, index) => read(user, `${index}`).catch(String));
  await soon();
  await expect(read(user, 'one more')).rejects.toMatchObject({ code: 'SERVER_NOT_READY' });
  clock.ms = 30_001;
  endRests();
  for (const outcome of await Promise.all(waiting)) expect(outcome).toContain('ApiError');
  expect(served).toEqual(['a', 'b']);
  await read(user, 'later');
  expect(served.at(-1)).toBe('later');
});
