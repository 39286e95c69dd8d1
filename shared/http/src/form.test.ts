import { limits } from '@parley/protocol';
import { expect, test } from 'vitest';

import { readForm, silentParameters } from './form.ts';

test('fields come in order', () => {
  expect([...readForm('b=1&a=x%20y+z&b=2')]).toEqual([
    ['b', '1'],
    ['a', 'x y z'],
    ['b', '2'],
  ]);
  expect([...readForm('')]).toEqual([]);
});

test('too many are refused, empty ones too', () => {
  const most = limits.parametersPerRequest;
  expect([...readForm(Array.from({ length: most }, (_, n) => `a${n}`).join('&'))]).toHaveLength(most);
  expect([...readForm('&'.repeat(most - 1))]).toEqual([]);
  const message = `There are too many parameters (limit: ${most}).`;
  expect(() => readForm('&'.repeat(most))).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message }));
});

test('two parameters are never unknown', () => {
  expect([...silentParameters]).toEqual(['client', 'method']);
});
