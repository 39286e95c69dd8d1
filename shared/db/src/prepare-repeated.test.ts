import { expect, test } from 'vitest';

import { createRepeats } from './prepare-repeated.ts';

type IsRepeated = ReturnType<typeof createRepeats>['isRepeated'];

const timesUntilRepeated = (isRepeated: IsRepeated, text: string, parameters: unknown[] = [1]): number => {
  for (let times = 1; times <= 100; times += 1) if (isRepeated(text, parameters)) return times;
  return Infinity;
};

test('a statement repeats when it is asked for the fifth time, and from then on', () => {
  const { isRepeated } = createRepeats();
  expect(timesUntilRepeated(isRepeated, 'select $1')).toBe(5);
  expect(isRepeated('select $1', [1])).toBe(true);
  expect(isRepeated('select $1, $2', [1])).toBe(false);
});

test('one whose parameters have other types is another one', () => {
  const { isRepeated } = createRepeats();
  expect(timesUntilRepeated(isRepeated, 'select $1, $2', [null, 1])).toBe(5);
  expect(isRepeated('select $1, $2', ['text', null])).toBe(true);
  for (const value of [true, 1n, new Date(), new Uint8Array(), [true]]) {
    expect(isRepeated('select $1, $2', [value, 1])).toBe(false);
  }
});

test('one that comes again only after a thousand others does not', () => {
  const { isRepeated } = createRepeats();
  for (let round = 0; round < 10; round += 1) {
    expect(isRepeated('select $1', [1])).toBe(false);
    for (let other = 0; other < 1000; other += 1) isRepeated(`select ${round}, ${other}, $1`, [1]);
  }
});

test('a long one does not', () => {
  const { isRepeated } = createRepeats();
  expect(timesUntilRepeated(isRepeated, 'x'.repeat(6144))).toBe(5);
  expect(timesUntilRepeated(isRepeated, 'x'.repeat(6145))).toBe(Infinity);
});

test('300 repeated statements are known', () => {
  const { isRepeated } = createRepeats();
  const texts = Array.from({ length: 301 }, (_, n) => `select ${n}, $1`);
  expect(texts.filter((text) => timesUntilRepeated(isRepeated, text) === 5)).toEqual(texts.slice(0, 300));
  expect(isRepeated('select 0, $1', [1])).toBe(true);
});
