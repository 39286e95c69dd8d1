import type { Tx } from '@parley/db';
import { expect, test } from 'vitest';

import { Joined } from './joined.ts';

/** Nothing is read here. */
const tx = {} as Tx;
const free = { tx, isConnected: false };
const connected = { tx, isConnected: true };

/** Work that ends when it is told to. */
function createWork() {
  let begun = 0;
  const settle = {} as { resolve: (result: string) => void; reject: (error: Error) => void };
  const done = new Promise<string>((resolve, reject) => Object.assign(settle, { resolve, reject }));
  const work = () => {
    begun += 1;
    return done;
  };
  return { work, settle, begun: () => begun };
}

test.each([free, connected])(
  'work that is under way is shared by those who come meanwhile',
  async (reader) => {
    const joined = new Joined<string>();
    const { work, settle, begun } = createWork();
    const all = [joined.share('a', reader, work), joined.share('a', reader, work)];
    settle.resolve('done');
    expect(await Promise.all(all)).toEqual(['done', 'done']);
    expect(begun()).toBe(1);
    await joined.share('a', reader, work);
    expect(begun()).toBe(2);
  },
);

test('whoever has a connection waits for nobody who may be waiting for one', async () => {
  const joined = new Joined<string>();
  const { work, settle } = createWork();
  const waiting = joined.share('a', free, work);
  expect(await joined.share('a', connected, async () => 'own')).toBe('own');
  settle.resolve('done');
  expect(await waiting).toBe('done');
});

test('work that failed, or does not suit, is done again by whoever waited for it', async () => {
  const joined = new Joined<string>();
  const { work, settle } = createWork();
  const first = joined.share('a', free, work);
  const second = joined.share('a', free, async () => 'own');
  settle.reject(new Error('cut off'));
  await expect(first).rejects.toThrow('cut off');
  expect(await second).toBe('own');

  const other = createWork();
  const third = joined.share('a', free, other.work);
  const fourth = joined.share(
    'a',
    free,
    async () => 'newer',
    (result) => result !== 'old',
  );
  other.settle.resolve('old');
  expect(await Promise.all([third, fourth])).toEqual(['old', 'newer']);
});
