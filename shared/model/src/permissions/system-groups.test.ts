import { roles } from '@parley/protocol';
import { expect, test } from 'vitest';

import { isInSystemGroup, systemGroups, systemGroupsOf } from './system-groups.ts';

const user = (role: number, isFullMember = true) => ({ id: 1, role, isFullMember });

/** Somebody of every kind. */
const everyone = {
  owner: user(roles.owner),
  administrator: user(roles.administrator),
  moderator: user(roles.moderator),
  'new moderator': user(roles.moderator, false),
  member: user(roles.member),
  'new member': user(roles.member, false),
  guest: user(roles.guest),
};

test.each([
  ['role:owners', ['owner']],
  ['role:administrators', ['owner', 'administrator']],
  ['role:moderators', ['owner', 'administrator', 'moderator', 'new moderator']],
  ['role:fullmembers', ['owner', 'administrator', 'moderator', 'new moderator', 'member']],
  ['role:members', ['owner', 'administrator', 'moderator', 'new moderator', 'member', 'new member']],
  ['role:everyone', Object.keys(everyone)],
  ['role:internet', Object.keys(everyone)],
  ['role:nobody', []],
] as const)('the members of %s are %j', (group, expected) => {
  const members = Object.entries(everyone).filter(([, one]) => isInSystemGroup(one, group));
  expect(members.map(([name]) => name)).toEqual(expected);
});

test.each([
  ['owner', ['role:owners']],
  ['administrator', ['role:administrators']],
  ['new moderator', ['role:moderators']],
  ['moderator', ['role:moderators']],
  ['member', ['role:fullmembers', 'role:members']],
  ['new member', ['role:members']],
  ['guest', ['role:everyone']],
] as const)('somebody who is %s is a direct member of %j', (name, expected) => {
  expect(systemGroupsOf(everyone[name])).toEqual(expected);
});

test('clients show the groups with a description', () => {
  expect(Object.fromEntries(systemGroups.map(({ name, description }) => [name, description]))).toEqual({
    'role:owners': 'Owners of this organization',
    'role:administrators': 'Administrators of this organization, including owners',
    'role:moderators': 'Moderators of this organization, including administrators',
    'role:fullmembers': 'Members of this organization, excluding new accounts and guests',
    'role:members': 'Members of this organization, excluding guests',
    'role:everyone': 'Everyone in this organization, including guests',
    'role:internet': 'Everyone on the internet',
    'role:nobody': 'Nobody',
  });
});
