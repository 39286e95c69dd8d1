import { gunzipSync } from 'node:zlib';

import { expect, test } from 'vitest';

import { compressed, gzipOf, stored } from './gzip.ts';

const text = (bytes: number) =>
  Buffer.from(Array.from({ length: bytes }, (_, index) => 97 + ((index * index) % 26)));

test('parts that are compressed on their own and parts that are not are one member together', async () => {
  const parts = [0, 1, 70_000, 65_535, 0, 65_536, 300_000, 7].map(text);
  const plain = Buffer.concat(parts);
  for (let first = 0; first < parts.length; first += 1) {
    const deflated = await Promise.all(
      parts.map(async (part, index) => (index >= first ? compressed(part) : stored(part))),
    );
    const member = Buffer.concat(gzipOf(deflated));
    // It checks the CRC and the length, and would take what follows for another member.
    expect(gunzipSync(member).equals(plain)).toBe(true);
    expect(member.indexOf(Buffer.from([0x1f, 0x8b, 8]), 1)).toBe(-1);
  }
});

test('nothing is a member, too', () => {
  expect(gunzipSync(Buffer.concat(gzipOf([])))).toHaveLength(0);
});

test('a wrong part is noticed', async () => {
  const [one, two] = [await compressed(text(1000)), await compressed(text(2000))];
  const wrong = gzipOf([one, { ...two, crc: two.crc ^ 1 }]);
  expect(() => gunzipSync(Buffer.concat(wrong))).toThrow('incorrect data check');
});
