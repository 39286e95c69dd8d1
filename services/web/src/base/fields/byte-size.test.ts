import { expect, test } from 'vitest';

import { byteSize } from './byte-size.ts';

test.each([
  [0, '0 bytes'],
  [1, '1 byte'],
  [999, '999 bytes'],
  [1000, '1 kB'],
  [3_440_000, '3.4 MB'],
  [12_000_000_000, '12 GB'],
])('%d bytes are shown as %j', (bytes, text) => {
  expect(byteSize(bytes)).toBe(text);
});
