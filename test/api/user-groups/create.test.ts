import { describe, expect, test } from 'vitest';

import {
  type Json,
  createGroup,
  groupId,
  groupsById,
  outcomeOf,
  people,
  permit,
  realm,
} from '../../support/index.ts';

describe('a user group', () => {
  test('is made with its members and subgroups, told to everyone, and listed', async () => {
    const { alice, bob, carol, guest, bot } = await realm();
    const moderators = await groupId(alice, 'role:moderators');
    const nobody = await groupId(alice, 'role:nobody');
    const everyone = await groupId(alice, 'role:everyone');
    const phone = await guest.listen();
    const inner = await createGroup(alice, 'inner', [bot]);
    const id = await createGroup(alice, ' Designers ', [carol, bob, carol], {
      description: 'They draw',
      subgroups: [inner, moderators],
      can_join_group: moderators,
      can_add_members_group: { direct_members: [], direct_subgroups: [inner] },
    });
    const group = {
      id,
      name: 'Designers',
      description: 'They draw',
      creator_id: alice.id,
      members: [bob.id, carol.id],
      direct_subgroup_ids: [moderators, inner],
      is_system_group: false,
      deactivated: false,
      can_add_members_group: inner,
      can_join_group: moderators,
      can_leave_group: everyone,
      can_manage_group: people(alice),
      can_mention_group: everyone,
      can_remove_members_group: nobody,
    };
    const [, added] = await phone.hears();
    expect(added).toMatchObject({ type: 'user_group', op: 'add', group });
    expect(Math.abs(added?.['group'].date_created - Date.now() / 1000)).toBeLessThan(60);
    expect((await groupsById(bob))[id]).toEqual(added?.['group']);
    const { realm_user_groups } = await guest.post('/register', { fetch_event_types: ['realm_user_groups'] });
    expect(realm_user_groups.find((one: Json) => one.id === id)).toEqual(added?.['group']);
    expect(realm_user_groups.map((one: Json) => one.id)).toEqual(
      realm_user_groups.map((one: Json) => one.id).sort((a: number, b: number) => a - b),
    );
  });

  test('is refused without the permission, to guests and to bots', async () => {
    const home = await realm();
    const { owner, alice, guest, bot } = home;
    const make = async (by: typeof alice) =>
      outcomeOf(await by.post('/user_groups/create', { name: 'x', description: '', members: [] }));
    expect(await make(guest)).toBe('Guests cannot do this.');
    expect(await make(bot)).toBe('Bots cannot use this endpoint.');
    await permit(home, 'can_create_groups', 'role:moderators');
    expect(await make(alice)).toBe('You do not have permission to do this.');
    const makers = await createGroup(owner, 'makers', [alice]);
    await owner.patch('/realm', { can_create_groups: { new: makers } });
    expect(await make(alice), 'a member of the group that the permission names').toBe('ok');
  });

  test.each([
    ['an empty name', { name: ' ' }, 'Enter a name for the user group.'],
    ['a long name', { name: 'x'.repeat(101) }, 'The name of a user group can have at most 100 characters.'],
    ['a name like a mention', { name: '@x' }, "The name of a user group cannot start with '@'."],
    ['a name like a system group', { name: 'Role:x' }, "The name of a user group cannot start with 'role:'."],
    [
      'a name like a channel',
      { name: 'channel:x' },
      "The name of a user group cannot start with 'channel:'.",
    ],
    [
      'an unprintable name',
      { name: 'a\u0007' },
      'The name of the user group contains a character that is not allowed, at position 2.',
    ],
    ['a name that is taken', { name: 'TAKEN' }, "There is already a user group called 'TAKEN'."],
    [
      'a long description',
      { description: 'x'.repeat(1025) },
      'description can have at most 1024 characters.',
    ],
    ['a stranger', { members: [2_000_000_000] }, 'There is no user with the id 2000000000.'],
    ['an unknown subgroup', { subgroups: [2_000_000_000] }, 'There is no user group with the id 2000000000.'],
    ['an unknown group as permission', { can_join_group: 2_000_000_000 }, 'This user group does not exist.'],
  ])('is refused with %s', async (_, params, outcome) => {
    const { alice } = await realm();
    await createGroup(alice, 'taken');
    const reply = alice.post('/user_groups/create', { name: 'x', description: '', members: [], ...params });
    expect(outcomeOf(await reply)).toBe(outcome);
  });

  test('takes no deactivated member, and no permission for everyone that is not for everyone', async () => {
    const { owner, alice, bob } = await realm();
    await owner.delete(`/users/${bob.id}`);
    const make = async (params: object) =>
      outcomeOf(
        await alice.post('/user_groups/create', { name: 'x', description: '', members: [], ...params }),
      );
    expect(await make({ members: [bob.id] })).toBe(`There is no user with the id ${bob.id}.`);
    expect(await make({ can_manage_group: await groupId(alice, 'role:everyone') })).toBe(
      "'can_manage_group' cannot be set to the group 'role:everyone'.",
    );
    expect(await make({ can_mention_group: await groupId(alice, 'role:internet') })).toBe(
      "'can_mention_group' cannot be set to the group 'role:internet'.",
    );
  });
});
