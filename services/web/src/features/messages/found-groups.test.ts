import type { Message } from '@parley/client';
import { describe, expect, test } from 'vitest';

import { fitOf, groupFound } from './found-groups.ts';

const marked = (...words: string[]) =>
  words.map((word) => `<span class="highlight">${word}</span>`).join(' and ');

describe('how well a message fits', () => {
  test('different words count for more than the same one again, and the topic for most', () => {
    const fits = [
      fitOf({ content: 'nothing', subject: '' }),
      fitOf({ content: marked('tea'), subject: '' }),
      fitOf({ content: marked('tea', 'Tea', 'tea'), subject: '' }),
      fitOf({ content: marked('tea'), subject: marked('tea') }),
      fitOf({ content: marked('tea', 'time'), subject: marked('tea') }),
    ];
    expect(fits).toEqual(fits.toSorted((one, other) => one - other));
    expect(new Set(fits).size).toBe(fits.length);
    const often = fitOf({ content: marked(...Array.from({ length: 90 }, () => 'tea')), subject: '' });
    expect(often).toBeLessThan(fitOf({ content: marked('tea', 'time'), subject: '' }));
  });
});

describe('results by conversation', () => {
  // Safe: nothing else of a message is read.
  const message = (id: number, subject: string) => ({ id, stream_id: 3, subject }) as Message;
  const messages = [message(1, 'lunch'), message(2, 'tea'), message(3, 'Lunch'), message(4, 'tea')];
  const found: Record<number, string> = {
    1: marked('tea', 'time'),
    2: marked('tea'),
    3: marked('tea'),
    4: marked('tea'),
  };
  const list = {
    ids: messages.map(({ id }) => id),
    message: (id: number) => messages.find((one) => one.id === id),
    match: (id: number) => ({ content: found[id] ?? '', subject: '' }),
  };
  const ids = (order: 'newest' | 'relevance') =>
    groupFound(list, order).map((group) => group.found.map((one) => one.message.id));

  test('begin with the newest, or with those that fit best', () => {
    expect(ids('newest')).toEqual([
      [4, 2],
      [3, 1],
    ]);
    expect(ids('relevance')).toEqual([
      [1, 3],
      [4, 2],
    ]);
  });
});
