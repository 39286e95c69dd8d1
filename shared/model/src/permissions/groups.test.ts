import { describe, expect, test } from 'vitest';

import { createGroups } from './groups.ts';
import type { SystemGroupName } from './system-groups.ts';

const systemNames = new Map<number, SystemGroupName>([
  [1, 'role:fullmembers'],
  [2, 'role:moderators'],
  [3, 'role:nobody'],
]);
// The interns and the designers contain each other; the staff are moderators and designers.
const [designers, interns, staff] = [10, 11, 12];
const groups = createGroups(systemNames, [
  [designers, interns],
  [interns, designers],
  [staff, 2],
  [staff, designers],
]);
const groupIdsOf = new Map([
  [7, [designers]],
  [8, [interns]],
]);

const member = (id: number, { role = 400, isFullMember = true } = {}) => ({
  id,
  role,
  isFullMember,
  groupIds: groupIdsOf.get(id) ?? [],
});

describe('a permission', () => {
  test.each([
    ['a member of the group', member(7), 10, true],
    ['somebody outside of it', member(9), 10, false],
    ['a member of a subgroup', member(8), 10, true],
    ['a member of a group that contains it in a circle', member(7), 11, true],
    ['a role within a group', member(9, { role: 300 }), 12, true],
    ['a smaller role within a group', member(9), 12, false],
    ['a full member', member(9), 1, true],
    ['a member in the waiting period', member(9, { isFullMember: false }), 1, false],
    ['a moderator in the waiting period', member(9, { role: 300, isFullMember: false }), 1, true],
    ['an owner, of nobody', member(9, { role: 100 }), 3, false],
    ['anyone, of a group that does not exist', member(9, { role: 100 }), 99, false],
  ])('groups decide whether a permission includes %s', (_, user, setting, expected) => {
    expect(groups.includes(setting, user)).toBe(expected);
  });

  test('names people beside groups', () => {
    const setting = { direct_members: [9], direct_subgroups: [11] };
    expect(groups.includes(setting, member(9))).toBe(true);
    expect(groups.includes(setting, member(8))).toBe(true);
    expect(groups.includes(setting, member(6))).toBe(false);
  });
});

test('groups contain each other, and themselves', () => {
  const sorted = (ids: ReadonlySet<number>) => [...ids].sort((a, b) => a - b);
  expect(sorted(groups.within(staff))).toEqual([2, designers, interns, staff]);
  expect(sorted(groups.within(2))).toEqual([2]);
  expect(sorted(groups.containing(interns))).toEqual([designers, interns, staff]);
  expect(sorted(groups.containing(staff))).toEqual([staff]);
});
