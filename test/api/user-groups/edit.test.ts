import { describe, expect, test } from 'vitest';

import {
  type Person,
  createGroup,
  groupId,
  groupsById,
  outcomeOf,
  people,
  permit,
  realm,
  succeed,
} from '../../support/index.ts';

const edit = async (by: Person, id: number, params: object) =>
  outcomeOf(await by.patch(`/user_groups/${id}`, { ...params }));

describe('a user group', () => {
  test('gets another name, description and permissions, and what stays the same is not told', async () => {
    const { alice, bob } = await realm();
    const id = await createGroup(alice, 'old', [bob]);
    const moderators = await groupId(alice, 'role:moderators');
    const phone = await bob.listen();
    await succeed(
      alice.patch(`/user_groups/${id}`, {
        name: 'new',
        description: 'x',
        can_join_group: { new: { direct_members: [], direct_subgroups: [moderators] } },
        can_manage_group: { new: people(alice), old: people(alice) },
      }),
    );
    const data = { name: 'new', description: 'x', can_join_group: moderators };
    expect(await phone.hears()).toMatchObject([{ type: 'user_group', op: 'update', group_id: id, data }]);
    expect((await groupsById(bob))[id]).toMatchObject(data);
    expect(await edit(alice, id, { name: 'new', can_join_group: { new: moderators } })).toBe('ok');
    expect(await phone.hears()).toEqual([]);
    expect(await edit(alice, id, { name: 'NEW' }), 'the same name, spelled differently').toBe('ok');
  });

  test('is changed by whoever may manage it, or all groups', async () => {
    const home = await realm();
    const { owner, alice, bob, carol, guest } = home;
    const id = await createGroup(alice, 'managed');
    expect(await edit(bob, id, { name: 'a' })).toBe('You do not have permission to do this.');
    expect(await edit(guest, id, { name: 'a' })).toBe('Guests cannot do this.');
    expect(await edit(owner, id, { name: 'b' })).toBe('ok');
    const managers = await createGroup(alice, 'managers', [bob]);
    expect(await edit(alice, id, { can_manage_group: { new: managers } })).toBe('ok');
    expect(await edit(alice, id, { name: 'c' })).toBe('You do not have permission to do this.');
    expect(await edit(bob, id, { name: 'c' })).toBe('ok');
    await permit(home, 'can_manage_all_groups', 'role:members');
    expect(await edit(carol, id, { name: 'd' })).toBe('ok');
  });

  test('is not changed to what it cannot be', async () => {
    const { alice } = await realm();
    const id = await createGroup(alice, 'one');
    await createGroup(alice, 'two');
    const members = await groupId(alice, 'role:members');
    const everyone = await groupId(alice, 'role:everyone');
    expect(await edit(alice, id, {})).toBe('There is nothing to change.');
    expect(await edit(alice, id, { name: 'Two' })).toBe("There is already a user group called 'Two'.");
    expect(await edit(alice, id, { name: '@two' })).toBe("The name of a user group cannot start with '@'.");
    expect(await edit(alice, 2_000_000_000, { name: 'x' })).toBe('This user group does not exist.');
    expect(await edit(alice, members, { name: 'x' })).toBe('You do not have permission to do this.');
    expect(await edit(alice, id, { can_add_members_group: { new: everyone } })).toBe(
      "'can_add_members_group' cannot be set to the group 'role:everyone'.",
    );
    const stale = await alice.patch(`/user_groups/${id}`, {
      can_leave_group: { new: members, old: members },
    });
    expect(stale).toMatchObject({ code: 'EXPECTATION_MISMATCH', field_name: 'old' });
  });

  test('a user group of another organization does not exist', async () => {
    const [{ owner }, { alice }] = [await realm(), await realm()];
    const id = await createGroup(alice, 'theirs');
    expect(await edit(owner, id, { name: 'x' })).toBe('This user group does not exist.');
    for (const path of ['members', 'subgroups']) {
      expect(outcomeOf(await owner.get(`/user_groups/${id}/${path}`))).toBe(
        'This user group does not exist.',
      );
    }
    expect(outcomeOf(await owner.post(`/user_groups/${id}/deactivate`))).toBe(
      'This user group does not exist.',
    );
  });
});
