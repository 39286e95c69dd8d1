import { ApiError } from '@parley/protocol';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

import { type Parameter, form, id, readParameters } from './parameters.ts';

const read = (shape: Record<string, Parameter>, sent: Record<string, string>, aliases = {}) =>
  readParameters(shape, (name) => sent[name], { aliases });

function refusalOf(work: () => unknown): object {
  try {
    work();
  } catch (error) {
    if (error instanceof ApiError) return error.body();
    throw error;
  }
  throw new Error('It was not refused.');
}

const drafts = form.json(
  z.array(z.strictObject({ to: z.array(z.int()).min(1), topic: z.string().max(3).optional() })).max(2),
);

describe('what is wrong with a parameter is said in the words of the contract', () => {
  test.each([
    [form.int(0, 9), '1.5', 'x must be an integer.'],
    [form.int(0, 9), '"1"', 'x must be an integer.'],
    [form.int(0, 9), '1x', 'x must be JSON.'],
    [form.int(0, 9), '10', 'x is too large.'],
    [form.int(0, 9), '-1', 'x is too small.'],
    [form.id(), '2147483648', 'x is too large.'],
    [form.bool(), '1', 'x must be true or false.'],
    [form.bool(), 'True', 'x must be true or false.'],
    [form.bool(), 'constructor', 'x must be true or false.'],
    [form.line(3), 'abcd', 'x can have at most 3 characters.'],
    [form.line(3), 'a\0b', 'x contains a null character.'],
    [form.oneOf(['a', 'b']), 'c', 'x is not valid.'],
    [drafts, '{', 'x must be JSON.'],
    [drafts, '{}', 'x must be a list.'],
    [drafts, '[3]', 'x[0] must be an object.'],
    [drafts, '[{"to":[]}]', 'x[0]["to"] is too short.'],
    [drafts, '[{}]', 'x[0]["to"] is missing.'],
    [drafts, '[{"to":["a"]}]', 'x[0]["to"][0] must be an integer.'],
    [drafts, '[{"to":[1],"topic":"abcd"}]', 'x[0]["topic"] can have at most 3 characters.'],
    [drafts, '[{"to":[1],"colour":1}]', "x[0] cannot have the field 'colour'."],
    [drafts, '[{"to":[1]},{"to":[1]},{"to":[1]}]', 'x is too long.'],
    [drafts, '['.repeat(60), 'x is nested too deeply.'],
    [drafts, ' '.repeat(600_000), 'x can have at most 524288 characters.'],
  ])('%#: %2$s', (parameter, raw, msg) => {
    expect(refusalOf(() => read({ x: parameter }, { x: raw }))).toEqual({
      result: 'error',
      code: 'BAD_REQUEST',
      msg,
    });
  });
});

test('a missing parameter is named, in the order of declaration', () => {
  const shape = { first: form.text().optional(), second: form.int(0, 9), third: form.bool() };
  expect(refusalOf(() => read(shape, {}))).toMatchObject({
    code: 'REQUEST_VARIABLE_MISSING',
    var_name: 'second',
    msg: "The parameter 'second' is missing.",
  });
  expect(read({ first: form.text().optional() }, {})).toEqual({ first: undefined });
});

test('an alias stands for its parameter, and not beside it', () => {
  const shape = { topic: form.text() };
  const aliases = { subject: 'topic' };
  expect(read(shape, { subject: 'a' }, aliases)).toEqual({ topic: 'a' });
  expect(refusalOf(() => read(shape, { subject: 'a', topic: 'a' }, aliases))).toMatchObject({
    code: 'REQUEST_CONFUSING_VAR',
    var_name1: 'topic',
    var_name2: 'subject',
  });
});

test('no text that comes out of JSON holds what Postgres cannot store', () => {
  const strings = form.json(z.array(z.string()));
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' })), (texts) => {
      const escaped = JSON.stringify(texts).replaceAll(
        /[^\x20-\x7e]/g,
        (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
      );
      const { x } = read({ x: strings }, { x: escaped }) as { x: string[] };
      expect(x).toHaveLength(texts.length);
      for (const text of x) {
        expect(text).not.toContain('\0');
        expect(text).not.toMatch(/\p{Cs}/u);
      }
    }),
  );
  expect(read({ x: strings }, { x: '["a\\u0000b","\\ud800","\\ud83d\\ude00"]' })).toEqual({
    x: ['a\uFFFDb', '\uFFFD', '😀'],
  });
});

test('whatever is sent is read or refused, never a bug', () => {
  const hostile = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.json(),
    fc.constantFrom('['.repeat(100_000), '1e999', '9'.repeat(400), '\\u0000', '"\\ud800"', '{"__proto__":1}'),
  );
  const shape = {
    a: form.int(0, 9).optional(),
    b: form.bool().optional(),
    c: drafts.optional(),
    d: form.json(z.union([z.array(id), z.array(z.string())])).optional(),
    e: form.line(5).optional(),
  };
  fc.assert(
    fc.property(fc.constantFrom(...Object.keys(shape)), hostile, (name, raw) => {
      try {
        read(shape, { [name]: raw });
      } catch (error) {
        if (!(error instanceof ApiError)) throw error;
      }
    }),
  );
});
