import { expect, test } from 'vitest';

import { canonicalName } from './login-limiter.ts';

const same: Record<string, string[]> = {
  'ann other': [
    'ANN OTHER',
    ' Ann  Other ',
    'ann\tother',
    'ann\u00a0other',
    'ann\u3000other',
    'ａｎｎ ｏｔｈｅｒ',
    'an\u00adn other',
    'a\u200bnn oth\u2060er',
    'a\ufe0fnn other',
    'ann\0 other',
    'ánn öther',
    'a\u0301nn other',
    '\ufeffann other',
  ],
  strasse: ['Straße', 'STRASSE', 'ſtrasse', 'STRAẞE'],
  office: ['oﬃce', 'OFFICE'],
};

test.each(Object.entries(same))('%s has one form, however a directory may read it', (name, others) => {
  expect(others.map(canonicalName)).toEqual(others.map(() => name));
});

test('names that no directory takes for the same have forms of their own', () => {
  const names = ['ann', 'anna', 'an n', 'аnn', 'ann@zoo.example', 'ann@zoo-example', '王', '玉'];
  expect(new Set(names.map(canonicalName)).size).toBe(names.length);
});
