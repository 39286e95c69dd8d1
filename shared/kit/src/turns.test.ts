import { expect, test } from 'vitest';

import { createTurns } from './turns.ts';

/** Work that ends when it is told to. */
function openWork() {
  const started: string[] = [];
  const ends = new Map<string, () => void>();
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve) => ends.set(name, resolve));
  };
  return { started, work, end: (name: string) => ends.get(name)?.() };
}

test('the work of a key is bounded, and nobody waits for the work of another', async () => {
  const turns = createTurns<string>({ atOnce: 2, waitingMax: 1 });
  const { started, work, end } = openWork();
  const running = ['a1', 'a2', 'a3', 'b1'].map((name) => turns.take(name.charAt(0), work(name)));
  await Promise.resolve();
  await new Promise(setImmediate);
  expect(started).toEqual(['a1', 'a2', 'b1']);
  expect([turns.isFull('a'), turns.isFull('b')]).toEqual([true, false]);
  end('a1');
  await running[0];
  await new Promise(setImmediate);
  expect(started).toEqual(['a1', 'a2', 'b1', 'a3']);
  expect(turns.isFull('a')).toBe(false);
  for (const name of ['a2', 'a3', 'b1']) end(name);
  await Promise.all(running);
});

test('work that fails, fails for whoever asked, and the next has its turn', async () => {
  const turns = createTurns<number>({ atOnce: 1, waitingMax: 1 });
  await expect(turns.take(1, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await turns.take(1, () => Promise.resolve('yes'))).toBe('yes');
});

test('the result comes before the rest, and the next turn after it', async () => {
  const turns = createTurns<string>({ atOnce: 1, waitingMax: 1 });
  const { started, work, end } = openWork();
  const done = () => Promise.resolve('done');
  expect(await turns.take('a', done, work('rest'))).toBe('done');
  const next = turns.take('a', async () => void started.push('next'));
  const other = turns.take('b', async () => void started.push('other'));
  await new Promise(setImmediate);
  expect(started).toEqual(['rest', 'other']);
  end('rest');
  await Promise.all([next, other]);
  expect(started.at(-1)).toBe('next');
});

test('there is a rest after work that fails, too', async () => {
  const turns = createTurns<string>({ atOnce: 1, waitingMax: 1 });
  const { started, work, end } = openWork();
  await expect(turns.take('a', () => Promise.reject(new Error('no')), work('rest'))).rejects.toThrow('no');
  const next = turns.take('a', async () => void started.push('next'));
  await new Promise(setImmediate);
  expect(started).toEqual(['rest']);
  end('rest');
  await next;
});
