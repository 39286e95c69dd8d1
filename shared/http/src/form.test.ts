import { limits } from '@parley/protocol';
import fc from 'fast-check';
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

const pieces = ['&', '=', '+', '%', '%4', '%zz', '%41', '%C3', '%a9', '%E2%82%AC', '%00', '?', 'a'];
const texts = fc
  .array(fc.oneof({ weight: 3, arbitrary: fc.constantFrom(...pieces) }, fc.string({ unit: 'binary-ascii' })))
  .map((parts) => parts.join(''));

test('what is not ASCII may stand beside what is escaped', () => {
  expect([...readForm('é=%C3%A9€%&=%C3é')]).toEqual([
    ['é', 'é€%'],
    ['', '\ufffdé'],
  ]);
});

test('forms of ASCII are what URLSearchParams makes, from a text and from bytes', () => {
  fc.assert(
    fc.property(texts, (text) => {
      const expected = [...new URLSearchParams(`?${text}`)];
      expect([...readForm(text)]).toEqual(expected);
      expect([...readForm(Buffer.from(text))]).toEqual(expected);
    }),
    { numRuns: 2000 },
  );
});

test('too many are refused, empty ones too', () => {
  const most = limits.parametersPerRequest;
  expect([...readForm(Array.from({ length: most }, (_, n) => `a${n}`).join('&'))]).toHaveLength(most);
  expect([...readForm('&'.repeat(most - 1))]).toEqual([]);
  const message = `A request can have at most ${most} parameters.`;
  expect(() => readForm('&'.repeat(most))).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message }));
});

test('two parameters are never unknown', () => {
  expect([...silentParameters]).toEqual(['client', 'method']);
});
