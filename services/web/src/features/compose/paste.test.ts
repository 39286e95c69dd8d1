import { expect, test } from 'vitest';

import { endsInCode } from './paste.ts';

test.each([
  ['', false],
  ['a `b` c', false],
  ['a `b', true],
  ['```\ncode', true],
  ['```py\ncode\n```\n', false],
  ['````\n```\ncode', true],
  ['~~~\ncode\n```\nmore', true],
])('%j ends in code: %s', (text, expected) => {
  expect(endsInCode(text)).toBe(expected);
});
