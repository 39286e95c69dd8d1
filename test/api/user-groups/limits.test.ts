import { limits } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import {
  createGroup,
  fillGroupsOf,
  fillPermissionOf,
  groupsById,
  outcomeOf,
  people,
  realm,
} from '../../support/index.ts';

describe('what groups hold has an end', () => {
  test('the members of one request are bounded', async () => {
    const { alice } = await realm();
    const id = await createGroup(alice, 'group');
    const add = Array.from({ length: limits.principalsPerRequest + 1 }, (_, number) => number);
    const reply = await alice.post(`/user_groups/${id}/members`, { add });
    expect(reply.msg).toContain('add');
    const whole = await alice.post(`/user_groups/${id}/members`, { add: add.slice(1) });
    expect(outcomeOf(whole)).toMatch(/^There is no user with the id/);
  });

  test('the members of all groups are bounded', async () => {
    const { alice, bob, carol } = await realm();
    const id = await createGroup(alice, 'group');
    await fillGroupsOf(carol, limits.userGroupMembershipsPerRealm - 1);
    const add = async (...ids: number[]) =>
      outcomeOf(await alice.post(`/user_groups/${id}/members`, { add: ids }));
    const refusal = `The user groups of an organization can have at most ${limits.userGroupMembershipsPerRealm} members in total.`;
    expect(await add(alice.id, bob.id)).toBe(refusal);
    expect(await add(bob.id)).toBe('ok');
    expect(await add(alice.id)).toBe(refusal);
  });

  test('the lists in permissions of groups are bounded', async () => {
    const { alice, bob } = await realm();
    const [id, other] = [await createGroup(alice, 'group'), await createGroup(alice, 'other')];
    await fillPermissionOf(id, 1_100_000);
    const refusal = 'The permissions of this group name too many users and groups.';
    const edited = await alice.patch(`/user_groups/${other}`, { can_join_group: { new: people(bob) } });
    expect(outcomeOf(edited)).toBe(refusal);
    const made = await alice.post('/user_groups/create', { name: 'x', description: '', members: [] });
    expect(outcomeOf(made)).toBe(refusal);
    expect(outcomeOf(await alice.patch(`/user_groups/${other}`, { name: 'renamed' }))).toBe('ok');
    expect((await groupsById(alice))[other]?.name).toBe('renamed');
  });
});
