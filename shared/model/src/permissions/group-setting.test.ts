import type { Tx } from '@parley/db';
import type { GroupPermission, GroupSetting } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import { assertExpectedSetting, isSameSetting, parseGroupSetting } from './group-setting.ts';
import type { Rules } from './rules.ts';

const groupIds = {
  'role:internet': 1,
  'role:everyone': 2,
  'role:nobody': 3,
  'role:members': 4,
  designers: 5,
};
const { designers } = groupIds;
const groups = Object.entries(groupIds).map(([name, id]) => ({ id, name }));
// Safe: no other rule is read, and none of these values names a user, so that nothing is asked of the database.
const rules = { groups } as unknown as Rules;
const tx = null as unknown as Tx;

const anything: GroupPermission = { default: 'role:members', allowsNobody: true, allowsEveryone: true };
const named = (members: number[], subgroups: number[]): GroupSetting => ({
  direct_members: members,
  direct_subgroups: subgroups,
});
const parse = (value: GroupSetting, permission: Partial<GroupPermission> = {}) =>
  parseGroupSetting(tx, 1, rules, ['can_do', { ...anything, ...permission }], value);

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
  ])('%s', async (_, value, permission, expected) => {
    expect(await parse(value, permission)).toEqual(expected);
  });
});

const cannotBe = (group: string) => `'can_do' setting cannot be set to '${group}' group.`;

describe('a permission may not be granted', () => {
  test.each([
    ['to a group that does not exist', 99, {}, 'Invalid user group ID'],
    ['to a list with a group that does not exist', named([], [5, 99]), {}, 'Invalid user group ID'],
    ['to the Internet', 1, {}, cannotBe('role:internet')],
    ['to everyone', 2, { allowsEveryone: false }, cannotBe('role:everyone')],
    ['to nobody', 3, { allowsNobody: false }, cannotBe('role:nobody')],
    ['to a list with everyone', named([], [2, 5]), { allowsEveryone: false }, cannotBe('role:everyone')],
    ['to another system group', 2, { systemGroups: ['role:members'] }, cannotBe('role:everyone')],
    ['to an id that no user has', named([2 ** 31], []), {}, 'Invalid user ID: 2147483648'],
  ])('%s', async (_, value, permission, message) => {
    await expect(parse(value, permission)).rejects.toMatchObject({ code: 'BAD_REQUEST', message });
  });

  test.each([
    ['a group of people', designers],
    ['a list', named([], [4, 5])],
  ])('to %s, where it takes system groups only', async (_, value) => {
    await expect(parse(value, { systemGroups: ['role:members'] })).rejects.toMatchObject({
      code: 'SYSTEM_GROUP_REQUIRED',
      message: "'can_do' must be a system user group.",
      extra: { setting_name: 'can_do' },
    });
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
      message: "'old' value does not match the expected value.",
      extra: { field_name: 'old' },
    }),
  );
});
