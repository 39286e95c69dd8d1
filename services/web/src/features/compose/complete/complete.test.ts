import { describe, expect, test } from 'vitest';

import { best, fit } from '../../../base/options/rank.ts';
import { triggerAt } from './trigger.ts';

const at = (marked: string) => {
  const caret = marked.indexOf('|');
  const found = triggerAt(marked.replace('|', ''), caret);
  return found && [found.kind, found.query, marked.slice(found.start, found.end), found.channel];
};

describe('what is completed', () => {
  test.each([
    ['@al|', ['person', 'al', '@al', undefined]],
    ['Hello @Alice Me| there', ['person', 'Alice Me', '@Alice Me', undefined]],
    ['(@**Al|', ['person', 'Al', '@**Al', undefined]],
    ['@_al|', ['silent-person', 'al', '@_al', undefined]],
    ['@|', ['person', '', '@', undefined]],
    ['see #gen|', ['channel', 'gen', '#gen', undefined]],
    ['see #**gen|', ['channel', 'gen', '#**gen', undefined]],
    ['see #**general>lu|', ['topic', 'lu', '#**general>lu', 'general']],
    ['see #**general**>|', ['topic', '', '#**general**>', 'general']],
    ['well :smi|', ['emoji', 'smi', ':smi', undefined]],
    ['/po|', ['command', 'po', '/po', undefined]],
  ])('%s', (marked, expected) => expect(at(marked)).toEqual(expected));

  test.each(['a@b|', '10:30|', 'a# b|', '@ |', 'and /po|', 'plain|', '|', '@**Alice** |', 'a::|'])(
    'is nothing in %s',
    (marked) => expect(at(marked)).toBeNull(),
  );
});

describe('the order of what fits', () => {
  test('beginnings come before words, and words before what is inside', () => {
    const names = ['Malice', 'Bob Alice', 'Alice Member', 'alice'];
    expect(best('alice', names, (name) => [name])).toEqual(['alice', 'Alice Member', 'Bob Alice', 'Malice']);
  });

  test('beginnings of several words fit', () => {
    expect(fit('al me', 'Alice Member')).toBe(3);
    expect(fit('me al', 'Alice Member')).toBeNull();
    expect(fit('x', 'max')).toBeNull();
  });

  test('names that fit equally are in the order that is wanted, wherever they stand', () => {
    const names = Array.from({ length: 500 }, (_, index) => `Ann ${(index * 177) % 500}`);
    const byNumber = (one: string, other: string) => Number(one.slice(4)) - Number(other.slice(4));
    const found = best('ann', ['Joann', ...names, 'Ann'], (name) => [name], 4, byNumber);
    expect(found).toEqual(['Ann', 'Ann 0', 'Ann 1', 'Ann 2']);
    expect(
      best(
        '',
        ['b', 'a', 'c'],
        (name) => [name],
        2,
        (one, other) => (one < other ? -1 : 1),
      ),
    ).toEqual(['a', 'b']);
  });

  test('no more than asked for', () => {
    const names = Array.from({ length: 1000 }, (_, index) => `name ${index}`);
    expect(best('name', names, (name) => [name], 5)).toHaveLength(5);
    expect(best('', names, (name) => [name], 5)).toEqual(names.slice(0, 5));
  });
});
