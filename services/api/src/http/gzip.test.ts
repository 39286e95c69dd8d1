import { gunzipSync } from 'node:zlib';

import fc from 'fast-check';
import { expect, test } from 'vitest';

import { type Range, compressed, compressedAround, gzipOf, stored } from './gzip.ts';

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

/** Some texts, of which every second stands apart. */
function around(texts: readonly string[]): { bytes: Buffer; apart: Range[] } {
  const apart: Range[] = [];
  let length = 0;
  for (const [index, one] of texts.entries()) {
    const end = length + Buffer.byteLength(one);
    if (index % 2 === 1) apart.push([length, end]);
    length = end;
  }
  return { bytes: Buffer.from(texts.join('')), apart };
}

/** Few words, so that much comes again. */
const words = fc.array(fc.constantFrom('alice', 'bob', '@example.com', '"delivery_email":', 'ę🙂', 'x'), {
  maxLength: 40,
});
const texts = fc.array(
  words.map((some) => some.join('')),
  { maxLength: 30 },
);

test('what stands apart is there, and nothing is compressed by it', async () => {
  const property = fc.asyncProperty(texts, async (all) => {
    const { bytes, apart } = around(all);
    const member = Buffer.concat(gzipOf([await compressedAround(bytes, apart)]));
    expect(gunzipSync(member).equals(bytes)).toBe(true);
    const others = all.map((one, index) => (index % 2 === 1 ? '.'.repeat(Buffer.byteLength(one)) : one));
    const other = around(others);
    const lengthOfOther = Buffer.concat(gzipOf([await compressedAround(other.bytes, other.apart)])).length;
    expect(member.length).toBe(lengthOfOther);
  });
  await fc.assert(property, { numRuns: 200 });
});

test('what is around something apart is compressed by all that comes before', async () => {
  const entry = (id: number) => [
    `{"id":${id},"is_active":true,"delivery_email":"`,
    `${id}@example.com`,
    '"},',
  ];
  const all = Array.from({ length: 100 }, (_, id) => entry(id + 100)).flatMap(
    ([head = '', address = '', tail = '']) => [head, address, tail, ''],
  );
  const { bytes, apart } = around(all);
  const { blocks } = await compressedAround(bytes, apart);
  const own = apart.reduce((sum, [from, to]) => sum + to - from, 0);
  const length = blocks.reduce((sum, block) => sum + block.length, 0);
  expect(length - own).toBeLessThan((bytes.length - own) * 0.7);
});
