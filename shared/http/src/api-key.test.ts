import { expect, test } from 'vitest';

import { deriveApiKey, digestApiKey, sameKey } from './api-key.ts';

test('a key has the form that clients require, and belongs to one user, generation and secret', () => {
  const keys = [
    deriveApiKey('secret', 1, 0),
    deriveApiKey('secret', 1, 1),
    deriveApiKey('secret', 10, 0),
    deriveApiKey('other', 1, 0),
  ];
  for (const key of keys) expect(key).toMatch(/^[A-Za-z0-9]{32}$/);
  expect(new Set(keys).size).toBe(keys.length);
});

test('a key stays the same from release to release', () => {
  expect(deriveApiKey('secret', 1, 0)).toBe('AZjP1A1bL5KXoSkQ7h6547VxRjjfkQvu');
});

test('keys are the same when all of their characters are', () => {
  expect(sameKey('abc', 'abc')).toBe(true);
  expect(sameKey('abc', 'abd')).toBe(false);
  expect(sameKey('abc', 'abcd')).toBe(false);
});

test('the digest of a key belongs to one key and secret, and stays the same from release to release', () => {
  expect(digestApiKey('secret', 'a')).not.toBe(digestApiKey('secret', 'b'));
  expect(digestApiKey('secret', 'a')).not.toBe(digestApiKey('other', 'a'));
  expect(digestApiKey('secret', 'a')).toBe('XeILL1EA0wpv0c_aqgXG8gmWgP_AcEmaYZN28i6gR8Y');
});
