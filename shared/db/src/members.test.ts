import fc from 'fast-check';
import { expect, test } from 'vitest';

import { decodeMembers, encodeMembers, createMemberFilter } from './members.ts';

const userIds = fc.uniqueArray(fc.integer({ min: 1, max: 2_147_483_647 }), { maxLength: 200 });
const dense = fc
  .tuple(fc.integer({ min: 1, max: 1_000_000 }), fc.integer({ min: 0, max: 5000 }))
  .map(([first, count]) => Array.from({ length: count }, (_, index) => first + index));

test('a set of users is read as it was written, ascending', () => {
  fc.assert(
    fc.property(fc.oneof(userIds, dense), (ids) => {
      expect([...decodeMembers(encodeMembers(ids))]).toEqual([...ids].sort((a, b) => a - b));
    }),
  );
});

test('the bitmap of nobody is the one that the migrations write', () => {
  expect(Buffer.from(encodeMembers([])).toString('hex')).toBe('3a30000000000000');
  expect([...decodeMembers(Buffer.from('3a30000000000000', 'hex'))]).toEqual([]);
});

test('a hundred thousand members with adjoining ids take a few kilobytes', () => {
  const ids = Array.from({ length: 100_000 }, (_, index) => 5000 + index);
  expect(encodeMembers(ids).byteLength).toBeLessThan(12_500);
});

test('a set of users is read as far as it is among others', () => {
  fc.assert(
    fc.property(fc.oneof(userIds, dense), fc.oneof(userIds, dense), (ids, among) => {
      using filter = createMemberFilter(among);
      const both = ids.filter((id) => among.includes(id)).sort((a, b) => a - b);
      expect(filter({ members: encodeMembers(ids) })).toEqual(both);
    }),
  );
});

test('a set that is told by changes of another has whoever joined, and lacks whoever departed and has not come back', () => {
  fc.assert(
    fc.property(userIds, userIds, userIds, (ids, joined, departed) => {
      const stored = { members: encodeMembers(ids), joined, departed };
      const kept = ids.filter((id) => !departed.includes(id));
      const expected = [...new Set([...kept, ...joined])].sort((a, b) => a - b);
      expect([...decodeMembers(stored)]).toEqual(expected);
    }),
  );
});
