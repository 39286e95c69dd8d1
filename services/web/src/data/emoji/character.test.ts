import { expect, test } from 'vitest';

import { characterOf } from './character.ts';

test.each([
  ['1f389', '🎉'],
  ['2764', '❤️'],
  ['00a9', '©️'],
  ['0031-20e3', '1️⃣'],
  ['1f1e9-1f1ea', '🇩🇪'],
  ['1f468-200d-1f4bb', '👨‍💻'],
  ['1f575-200d-2642', '🕵️‍♂️'],
  ['2764-fe0f-200d-1f525', '❤️‍🔥'],
  ['261d-1f3fd', '☝🏽'],
  ['zz', ''],
  ['', ''],
  ['7fffffff', ''],
])('the character of %s is %s, drawn in colors', (code, character) => {
  expect(characterOf(code)).toBe(character);
});
