import type { Tx } from '@parley/db';
import type { GroupPermission, GroupSetting } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import {
  assertAllowedGroups,
  assertExpectedSetting,
  canonicalSetting,
  isSameSetting,
  parseGroupSetting,
} from './group-setting.ts';

const groupIds = {
  'role:internet': 1,
  'role:everyone': 2,
  'role:nobody': 3,
  'role:members': 4,
  designers: 5,
  'former designers': 6,
};
const { designers } = groupIds;
const groups = Object.entries(groupIds).map(([name, id]) => ({
  id,
  name,
  isSystem: name.startsWith('role:'),
  isDeactivated: name.startsWith('former'),
}));

const anything: GroupPermission = { default: 'role:members', allowsNobody: true, allowsEveryone: true };
const named = (members: number[], subgroups: number[]): GroupSetting => ({
  direct_members: members,
  direct_subgroups: subgroups,
});
const grant = (value: GroupSetting, permission: Partial<GroupPermission> = {}) => {
  const setting = canonicalSetting(value);
  assertAllowedGroups(groups, ['can_do', { ...anything, ...permission }], setting);
  return setting;
};

describe('a permission may be granted', () => {
  test.each([
    ['to a group', designers, {}, designers],
    ['to everyone, where it allows that', groupIds['role:everyone'], {}, 2],
    ['to nobody, where it allows that', groupIds['role:nobody'], {}, 3],
    ['to a list of one group, which is that group', named([], [designers]), {}, designers],
    ['to groups, in their order and once', named([], [5, 4, 5]), {}, named([], [4, 5])],
    ['to no group', named([], []), {}, named([], [])],
    ['to a system group that it names', 4, { systemGroups: ['role:members'] }, 4],
    ['to other groups, without everyone', 5, { allowsEveryone: false, allowsNobody: false }, 5],
  ])('%s', (_, value, permission, expected) => {
    expect(grant(value, permission)).toEqual(expected);
  });
});

const cannotBe = (group: string) => `'can_do' cannot be set to the group '${group}'.`;

describe('a permission may not be granted', () => {
  test.each([
    ['to a group that does not exist', 99, {}, 'This user group does not exist.'],
    ['to a list with a group that does not exist', named([], [5, 99]), {}, 'This user group does not exist.'],
    ['to the Internet', 1, {}, cannotBe('role:internet')],
    ['to everyone', 2, { allowsEveryone: false }, cannotBe('role:everyone')],
    ['to nobody', 3, { allowsNobody: false }, cannotBe('role:nobody')],
    ['to a list with everyone', named([], [2, 5]), { allowsEveryone: false }, cannotBe('role:everyone')],
    ['to another system group', 2, { systemGroups: ['role:members'] }, cannotBe('role:everyone')],
    ['to a deactivated group', named([], [5, 6]), {}, 'This user group is deactivated.'],
  ])('%s', (_, value, permission, message) => {
    expect(() => grant(value, permission)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST', message }));
  });

  test('a permission may not be granted to an id that no user has', async () => {
    // Safe: the value names no group and no id of a user, so that nothing is asked of the database.
    const tx = null as unknown as Tx;
    const parsed = parseGroupSetting(tx, 1, ['can_do', anything], named([2 ** 31], []));
    await expect(parsed).rejects.toMatchObject({
      code: 'BAD_REQUEST',
      message: 'There is no user with the id 2147483648.',
    });
  });

  test.each([
    ['a group of people', designers],
    ['a list', named([], [4, 5])],
  ])('a permission may not be granted to %s, where it allows system groups only', async (_, value) => {
    expect(() => grant(value, { systemGroups: ['role:members'] })).toThrow(
      expect.objectContaining({
        code: 'SYSTEM_GROUP_REQUIRED',
        message: "'can_do' must be a group that stands for a role.",
        extra: { setting_name: 'can_do' },
      }),
    );
  });
});

test('values are the same when they name the same groups and users', () => {
  expect(isSameSetting(named([3, 1, 10], [5, 4]), named([10, 3, 1, 1], [4, 5]))).toBe(true);
  expect(isSameSetting(named([], [5]), 5)).toBe(true);
  expect(isSameSetting(named([1], [5]), 5)).toBe(false);
  expect(isSameSetting(named([], [4, 5]), 4)).toBe(false);
  expect(isSameSetting(4, 5)).toBe(false);
});

test('a change that expects another value is refused', () => {
  expect(() => assertExpectedSetting(5, { new: 4 })).not.toThrow();
  expect(() => assertExpectedSetting(5, { new: 4, old: named([], [5]) })).not.toThrow();
  expect(() => assertExpectedSetting(5, { new: 4, old: 4 })).toThrow(
    expect.objectContaining({
      code: 'EXPECTATION_MISMATCH',
      message: 'Somebody has changed this permission meanwhile. Load it again before you change it.',
      extra: { field_name: 'old' },
    }),
  );
});
