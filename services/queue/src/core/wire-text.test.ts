import { expect, test } from 'vitest';

import { toWire } from './wire-text.ts';

test('a text becomes one character per byte', () => {
  expect(toWire('plain')).toBe('plain');
  expect(Buffer.from(toWire('naïve 🦉'), 'latin1').toString()).toBe('naïve 🦉');
});
