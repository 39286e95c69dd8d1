import { describe, expect, test } from 'vitest';

import { type Group, isIncluded } from './groups.ts';

const groups = new Map<number, Group>(
  [
    { id: 1, name: 'role:fullmembers', own: null },
    { id: 2, name: 'role:moderators', own: null },
    { id: 3, name: 'role:nobody', own: null },
    { id: 10, name: 'designers', own: { members: new Set([7]), subgroups: [11] } },
    { id: 11, name: 'interns', own: { members: new Set([8]), subgroups: [10] } },
    { id: 12, name: 'staff', own: { members: new Set<number>(), subgroups: [2, 10] } },
  ].map((group) => [group.id, group]),
);

const member = (id: number, { role = 400, isFullMember = true } = {}) => ({ id, role, isFullMember });

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
  ])('of %s', (_, user, setting, expected) => {
    expect(isIncluded(user, setting, groups)).toBe(expected);
  });

  test('names people beside groups', () => {
    const setting = { direct_members: [9], direct_subgroups: [11] };
    expect(isIncluded(member(9), setting, groups)).toBe(true);
    expect(isIncluded(member(8), setting, groups)).toBe(true);
    expect(isIncluded(member(6), setting, groups)).toBe(false);
  });
});
