import { afterEach, expect, test } from 'vitest';

import { catalogue, icu } from './catalogue.ts';
import { enumerate, listNames, useLanguage } from './language.ts';
import { languageOf } from './languages.ts';

afterEach(() => useLanguage({ tag: 'en', texts: {} }));

const texts = {
  send: 'Send',
  count: icu('{count, plural, one {# message} other {# messages}} from {name}', 'count', 'name'),
  deeper: { cancel: 'Cancel' },
} as const;

test('texts are as they are written, with the values that they are given', () => {
  const read = catalogue('one', texts);
  expect(read.send).toBe('Send');
  expect(read.deeper.cancel).toBe('Cancel');
  expect(read.count(1, 'Ada')).toBe('1 message from Ada');
  expect(read.count(1200, '<b>{x}</b>')).toBe('1,200 messages from <b>{x}</b>');
});

test('texts are in the language of the page, by the rules of its plurals, where it has them', () => {
  useLanguage({
    tag: 'ar',
    texts: {
      'two.send': 'إرسال',
      'two.count':
        '{count, plural, zero {لا رسائل} one {رسالة} two {رسالتان} few {# رسائل} many {# رسالة} other {# رسالة}} من {name}',
    },
  });
  const read = catalogue('two', texts);
  expect(read.send).toBe('إرسال');
  expect(read.count(2, 'Ada')).toBe('رسالتان من Ada');
  expect(read.deeper.cancel).toBe('Cancel');
  expect(listNames(['a', 'b'])).toBe('a، b');
});

test('names are enumerated as the language does', () => {
  expect(enumerate(['Ann', 'Bo', 'Cy'])).toBe('Ann, Bo, and Cy');
  useLanguage({ tag: 'de', texts: {} });
  expect(enumerate(['Ann', 'Bo', 'Cy'])).toBe('Ann, Bo und Cy');
});

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['pt_BR', null],
  ['AR', 'ar'],
  ['', null],
])('the language of %j is %j', (tag, expected) => expect(languageOf(tag)).toBe(expected));
