import { expect, test } from 'vitest';

import { readBasicAuth } from './basic-auth.ts';

const key = 'a1B2'.repeat(8);
const header = (pair: string, scheme = 'Basic') => `${scheme} ${Buffer.from(pair).toString('base64')}`;

test.each([
  ['an address and a key', header(`a@b.example:${key}`), 'a@b.example'],
  ['a scheme in other case', header(`a@b.example:${key}`, 'bASIC'), 'a@b.example'],
  ['an address with a colon', header(`a:b@b.example:${key}`), 'a:b@b.example'],
  ['an address of one character', header(`a:${key}`), 'a'],
])('basic authentication reads %s', (_, value, email) => {
  expect(readBasicAuth(value)).toEqual({ email, apiKey: key });
});

const notLoggedIn = ['UNAUTHENTICATED_USER', expect.stringMatching(/^Log in first/)];
const otherScheme = ['BAD_REQUEST', 'Use HTTP basic authentication, with an email address and an API key.'];
const noPair = ['UNAUTHORIZED', 'The Authorization header is malformed.'];
const malformed = ['UNAUTHORIZED', 'This API key is malformed.'];

test.each([
  ['no header', undefined, notLoggedIn],
  ['an empty header', '', notLoggedIn],
  ['another scheme', header(`a@b.example:${key}`, 'Bearer'), otherScheme],
  ['no scheme', 'nonsense', otherScheme],
  ['no colon', header('nonsense'), noPair],
  ['no address', header(`:${key}`), noPair],
  ['an address with a NUL', header(`a\0@b.example:${key}`), noPair],
  ['a key that is too short', header(`a@b.example:${key.slice(1)}`), malformed],
  ['a key that is too long', header(`a@b.example:${key}a`), malformed],
  ['a key with other characters', header(`a@b.example:${key.slice(1)}-`), malformed],
])('basic authentication refuses %s', (_, value, [code, message]) => {
  expect(() => readBasicAuth(value)).toThrow(expect.objectContaining({ code, message }));
});
