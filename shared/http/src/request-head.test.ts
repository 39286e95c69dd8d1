import { expect, test } from 'vitest';

import { assertHeadIsValid } from './request-head.ts';

const check =
  (host: string | undefined, url = '/') =>
  () =>
    assertHeadIsValid({ host, url });

test.each([
  'a.example',
  'a-b_c.example:80',
  'a.example:',
  '[2001:db8::1]',
  '[::FFFF]:65535',
  '192.0.2.7:99999',
])('a host may be %s', (host) => {
  expect(check(host)).not.toThrow();
});

test.each([
  undefined,
  '',
  'a b',
  'a/b',
  'a.example:123456',
  'a.example:x',
  '[a.example]',
  'x[::1]',
  '[::1]x',
  '[]',
])('a host may not be %j', (host) => {
  const message = 'The Host header is missing or malformed.';
  expect(check(host)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message }));
});

test('percent sequences of a path are complete, and those of a query may be anything', () => {
  for (const url of [undefined, '/', '/a%20b', '/a%2Fb?c=d', '/a%20b?c=%', '/?%']) {
    expect(check('a.example', url)).not.toThrow();
  }
  const message = 'The path contains a malformed percent sequence.';
  for (const url of ['/%', '/%zz', '/a%2', '/%?a=1', '/%ff']) {
    expect(check('a.example', url)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message }));
  }
});
