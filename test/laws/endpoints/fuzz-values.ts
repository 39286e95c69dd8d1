import fc from 'fast-check';

import type { Sending } from './send.ts';

/** What has broken programs before. */
const fuzzValues = fc.constantFrom(
  '',
  '\0',
  'a\0b',
  '"\\u0000"',
  '"\\ud800"',
  '["\\ud800"]',
  '[{"name":"\\ud800\\u0000"}]',
  '\ufffe',
  '\u202e',
  '9'.repeat(30),
  '-1',
  '2147483648',
  '-2147483649',
  '9007199254740991',
  '1e308',
  '1.5',
  'NaN',
  'null',
  'true',
  '[]',
  '{}',
  '[null]',
  '[9007199254740991]',
  '[-1]',
  '[1.5]',
  '["a"]',
  '[[]]',
  '[["is","dm"]]',
  '[["sender",9007199254740991]]',
  '[["topic","\\u0000"]]',
  '[["channel","%"]]',
  '[["dm",[]]]',
  '[["id",99999999999]]',
  '[{"operator":"dm","operand":[1,1,1]}]',
  '[{"operator":"__proto__","operand":"__proto__"}]',
  '{"__proto__":{"a":1}}',
  'constructor',
  '__proto__',
  '['.repeat(5000),
  '{"a":'.repeat(5000),
  'x'.repeat(100_000),
  '😀'.repeat(10_001),
  "'; drop table users; --",
  '%',
  '\\',
  'general chat',
  'channel',
  'direct',
  'stream',
);

/** What a parameter may be sent as. */
export const value = fc.oneof(
  { weight: 5, arbitrary: fuzzValues },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 50 }) },
  { weight: 2, arbitrary: fc.json({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.integer().map(String) },
);

/** How a request may be written. */
export const shape = fc.constantFrom('form', 'form', 'form', 'json', 'multipart', 'garbage', 'query');

export function encodingOf(how: string, params: Record<string, string>): Omit<Sending, 'params'> {
  switch (how) {
    case 'json':
      return { contentType: 'application/json', raw: JSON.stringify(params) };
    case 'multipart':
      return { contentType: 'multipart/form-data; boundary=b', raw: multipart(params) };
    case 'garbage':
      return { raw: Buffer.from([0x61, 0x3d, 0xff, 0xfe, 0x25, 0x00, 0x26, 0x3d, 0x3d, 0x25, 0x7a, 0x7a]) };
    case 'query':
      return { query: 'anchor=%zz&to=%ff%fe&type=%00&content=%&narrow=%ed%a0%80&=&&' };
    default:
      return {};
  }
}

const multipart = (params: Record<string, string>) =>
  `${Object.entries(params)
    .map(([name, value]) => `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`)
    .join('')}--b--\r\n`;
