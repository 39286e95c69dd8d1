import { expect, test } from 'vitest';
import { z } from 'zod';

import { readConfig } from './config.ts';

const shape = {
  PORT: z.coerce
    .number()
    .int()
    .max(65_535, 'must be 65535 or less')
    .default(0)
    .describe('Port to listen on.'),
  SECRET: z.string().min(4, 'must have 4 characters or more'),
};

test('a configuration without mistakes is read, with its defaults', () => {
  expect(readConfig(shape, { SECRET: 'abcd' })).toEqual({ PORT: 0, SECRET: 'abcd' });
});

test('every invalid setting is reported at once, with what it is for', () => {
  expect(() => readConfig(shape, { PORT: '65536' })).toThrow(
    new Error(`2 settings are invalid:
  PORT: must be 65535 or less
    Port to listen on.
  SECRET: not set`),
  );
});

test('one invalid setting is reported as one', () => {
  expect(() => readConfig(shape, { SECRET: 'a' })).toThrow(
    new Error('One setting is invalid:\n  SECRET: must have 4 characters or more'),
  );
});
