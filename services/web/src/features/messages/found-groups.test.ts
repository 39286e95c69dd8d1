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
    const twoWords = fitOf({ content: marked('tea', 'time'), subject: '' });
    for (const often of [Array.from({ length: 90 }, () => 'tea'), ['tea', 'Tea', 'TEA']])
      expect(fitOf({ content: marked(...often), subject: '' })).toBeLessThan(twoWords);
    const inTopic = fitOf({ content: '', subject: marked('tea') });
    expect(inTopic).toBeGreaterThan(fitOf({ content: marked('tea'), subject: '' }));
    expect(fitOf({ content: '', subject: marked('tea', 'Tea') })).toBe(inTopic);
  });
});

describe('results by conversation', () => {
  // Safe: nothing else of a message is read.
  const message = (id: number, subject: string, channel = 3) =>
    ({ id, stream_id: channel, subject }) as Message;
  const messages = [message(1, 'lunch'), message(2, 'tea'), message(3, 'Lunch'), message(4, 'tea')];
  const found: Record<number, string> = {
    1: marked('tea', 'time'),
    2: marked('tea'),
    3: marked('tea'),
    4: marked('tea'),
  };
  const listOf = (all: readonly Message[]) => ({
    ids: all.map(({ id }) => id),
    message: (id: number) => all.find((one) => one.id === id),
    match: (id: number) => ({ content: found[id] ?? '', subject: '' }),
  });
  const idsIn = (list: ReturnType<typeof listOf>, order: 'newest' | 'relevance') =>
    groupFound(list, order, 7).map((group) => group.found.map((one) => one.message.id));
  const ids = (order: 'newest' | 'relevance') => idsIn(listOf(messages), order);

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

  test('are apart in topics of one name in two channels, and with other people', () => {
    const direct = (id: number, people: string) => ({ id, subject: '', people }) as Message;
    const all = [
      message(1, 'tea'),
      message(2, 'tea', 4),
      direct(3, '7,8'),
      direct(4, '7,9'),
      direct(5, '8,7'),
    ];
    expect(idsIn(listOf(all), 'newest')).toEqual([[5, 3], [4], [2], [1]]);
  });

  test('leave out messages that are there no more', () => {
    const list = listOf(messages);
    expect(idsIn({ ...list, ids: [1, 99] }, 'newest')).toEqual([[1]]);
  });
});
