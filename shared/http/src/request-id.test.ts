import { expect, test } from 'vitest';

import { requestIdHeader, requestIdOf } from './request-id.ts';

test('a request is named by the header that proxies use', () => {
  expect(requestIdHeader).toBe('X-Request-Id');
});

test('an id that a proxy gave is kept', () => {
  for (const id of [
    'a',
    '7f0c9b52-8d3e-4a61-9c1f-0a2b3c4d5e6f',
    'Root=1-67891233-abcdef012345678912345678',
  ]) {
    expect(requestIdOf(id)).toBe(id);
  }
});

test('what cannot be an id is replaced by one', () => {
  for (const header of [undefined, '', 'a b', 'a\tb', 'ü', '"', 'x'.repeat(65), ['a', 'b']]) {
    expect(requestIdOf(header)).toMatch(/^[0-9a-f]{12}-[0-9a-z]+$/);
  }
});

test('no two requests get the same id', () => {
  const ids = Array.from({ length: 1000 }, () => requestIdOf(undefined));
  expect(new Set(ids).size).toBe(1000);
});
