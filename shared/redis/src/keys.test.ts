import { describe, expect, test } from 'vitest';

import { keys, partitionOf } from './keys.ts';

/** The slot of a Redis Cluster in which a key lies: CRC16 of its hash tag, as XMODEM has it. */
function slotOf(key: string): number {
  const tag = /\{(.+?)\}/.exec(key)?.[1] ?? key;
  let crc = 0;
  for (const byte of Buffer.from(tag)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit += 1) crc = crc & 0x8000 ? ((crc << 1) ^ 0x1021) & 0xffff : crc << 1;
  }
  return crc % 16_384;
}

/** How many partitions each master of a cluster has, whose masters have equal shares of the slots. */
function spread(partitions: number, masters: number, keyOf: (partition: number) => string): number[] {
  const counts = Array.from({ length: masters }, () => 0);
  for (let partition = 0; partition < partitions; partition += 1) {
    const master = Math.floor((slotOf(keyOf(partition)) * masters) / 16_384);
    counts[master] = (counts[master] ?? 0) + 1;
  }
  return counts;
}

test('slots are those of Redis', () => {
  expect([slotOf('123456789'), slotOf('a {123456789} b'), slotOf('foo')]).toEqual([12_739, 12_739, 12_182]);
});

describe.each([
  ['streams', keys.log],
  ['channels of ephemeral events', keys.ephemeral],
])('%s of 128 partitions', (_, keyOf) => {
  test.each([3, 4, 6, 8, 10, 12, 16])('lie on all of %i masters, about as many on each', (masters) => {
    const counts = spread(128, masters, keyOf);
    const even = 128 / masters;
    expect(Math.min(...counts)).toBeGreaterThan(even * 0.7);
    expect(Math.max(...counts)).toBeLessThan(even * 1.3);
  });
});

test('16 partitions leave half of 16 masters idle, and 256 lie less evenly than 128', () => {
  expect(spread(16, 16, keys.log).filter((count) => count === 0)).toHaveLength(8);
  const [of128, of256] = [128, 256].map(
    (partitions) => Math.max(...spread(partitions, 16, keys.log)) / partitions,
  );
  expect(of256).toBeGreaterThan(of128 ?? 1);
});

test('a realm is always in the same partition', () => {
  expect([1, 128, 129, 130].map((realmId) => partitionOf(realmId, 128))).toEqual([1, 0, 1, 2]);
});
