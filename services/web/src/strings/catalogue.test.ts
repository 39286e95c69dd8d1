import { afterEach, expect, test } from 'vitest';

import { catalogue, icu } from './catalogue.ts';
import { enumerate, listNames, useLanguage } from './language.ts';

afterEach(() => useLanguage({ tag: 'en', texts: {} }));

const texts = {
  send: 'Send',
  count: icu('{count, plural, one {# message} other {# messages}} from {name}', 'count', 'name'),
  deeper: { cancel: 'Cancel' },
} as const;

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
  expect(listNames(['a', 'b'])).toBe('a، b');
});

test('names are enumerated as the language does', () => {
  expect(enumerate(['Ann', 'Bo', 'Cy'])).toBe('Ann, Bo, and Cy');
  useLanguage({ tag: 'de', texts: {} });
  expect(enumerate(['Ann', 'Bo', 'Cy'])).toBe('Ann, Bo und Cy');
});
