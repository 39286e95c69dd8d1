import { expect, test } from 'vitest';

import { beginInTurns, createBreaks } from './breaks.ts';

test('long work lets others have a turn after each time that it has held the loop, and not between', async () => {
  let nowMs = 0;
  const breaks = createBreaks(10, () => nowMs);
  expect(breaks()).toBeUndefined();
  nowMs = 9;
  expect(breaks()).toBeUndefined();
  nowMs = 10;
  let others = 0;
  setImmediate(() => (others += 1));
  await breaks();
  expect(others).toBe(1);
  expect(breaks()).toBeUndefined();
});

test('one of many pieces of long work goes on in each turn of the loop', async () => {
  let nowMs = 0;
  const breaks = createBreaks(10, () => nowMs);
  let turns = 0;
  const stepsOfTurn = new Map<number, number>();
  let isOver = false;
  const countTurns = () => {
    turns += 1;
    if (!isOver) setImmediate(countTurns);
  };
  setImmediate(countTurns);
  const work = async () => {
    for (let step = 0; step < 20; step += 1) {
      nowMs += 4;
      stepsOfTurn.set(turns, (stepsOfTurn.get(turns) ?? 0) + 1);
      await breaks();
    }
  };
  await Promise.all(Array.from({ length: 8 }, work));
  isOver = true;
  // The eight begin in one turn; after it, each turn has what one of them does in ten milliseconds.
  expect(Math.max(...[...stepsOfTurn].filter(([turn]) => turn > 0).map(([, steps]) => steps))).toBeLessThan(
    6,
  );
});

test('each of many is begun before the first is done, with a turn for others where they hold the loop', async () => {
  let nowMs = 0;
  const breaks = createBreaks(10, () => nowMs);
  const begun: number[] = [];
  const seenByOthers: number[] = [];
  setImmediate(() => seenByOthers.push(begun.length));
  let letGo: () => void = () => undefined;
  const isLetGo = new Promise<void>((resolve) => {
    letGo = resolve;
  });
  const results = await beginInTurns(
    [1, 2, 3, 4],
    async (item) => {
      begun.push(item);
      if (begun.length === 4) letGo();
      nowMs += 6;
      await isLetGo;
      return begun.length * 10 + item;
    },
    breaks,
  );
  expect(results).toEqual([41, 42, 43, 44]);
  expect(seenByOthers).toEqual([3]);
});

test('what fails of many fails all, once all are begun', async () => {
  const begun: number[] = [];
  const beginning = beginInTurns([1, 2, 3], async (item) => {
    begun.push(item);
    if (item === 1) throw new Error('no');
  });
  await expect(beginning).rejects.toThrow('no');
  expect(begun).toEqual([1, 2, 3]);
});
