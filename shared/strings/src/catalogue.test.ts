import { expect, test } from 'vitest';

import { catalogue } from './catalogue.ts';
import { languageOf } from './languages.ts';
import { icu, translate } from './texts.ts';

const texts = {
  send: 'Send',
  count: icu('{count, plural, one {# message} other {# messages}} from {name}', 'count', 'name'),
  deeper: { cancel: 'Cancel' },
} as const;

test('texts are as they are written, with the values that they are given', () => {
  const read = translate('one', texts, { tag: 'en', texts: {} });
  expect(read.send).toBe('Send');
  expect(read.deeper.cancel).toBe('Cancel');
  expect(read.count(1, 'Ada')).toBe('1 message from Ada');
  expect(read.count(1200, '<b>{x}</b>')).toBe('1,200 messages from <b>{x}</b>');
});

test('texts are in a language, by the rules of its plurals, where it has them', () => {
  const read = translate('two', texts, {
    tag: 'ar',
    texts: {
      'two.send': 'إرسال',
      'two.count':
        '{count, plural, zero {لا رسائل} one {رسالة} two {رسالتان} few {# رسائل} many {# رسالة} other {# رسالة}} من {name}',
    },
  });
  expect(read.send).toBe('إرسال');
  expect(read.count(2, 'Ada')).toBe('رسالتان من Ada');
  expect(read.deeper.cancel).toBe('Cancel');
});

test('texts of the server are read in the language that a setting names, once for each language, and else in English', async () => {
  const textIn = catalogue('mail', { unsubscribe: 'Unsubscribe' });
  expect((await textIn('de')).unsubscribe).toBe('Abbestellen');
  expect(await textIn('de-AT')).toBe(await textIn('de'));
  expect((await textIn('tlh')).unsubscribe).toBe('Unsubscribe');
  expect((await textIn('constructor')).unsubscribe).toBe('Unsubscribe');
});

test.each([
  ['de', 'de'],
  ['de-AT', 'de'],
  ['pt_BR', null],
  ['AR', 'ar'],
  ['toString', null],
  ['', null],
])('the language of %j is %j', (tag, expected) => expect(languageOf(tag)).toBe(expected));
