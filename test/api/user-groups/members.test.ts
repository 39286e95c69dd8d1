import { describe, expect, test } from 'vitest';

import {
  type Person,
  createGroup,
  groupId,
  groupsById,
  outcomeOf,
  people,
  realm,
  succeed,
} from '../../support/index.ts';

const change = async (by: Person, id: number, params: object) =>
  outcomeOf(await by.post(`/user_groups/${id}/members`, { ...params }));

const insufficient = 'You do not have permission to do this.';

describe('members of a group', () => {
  test('come and go, together with subgroups, in one change', async () => {
    const { alice, bob, carol, guest, bot } = await realm();
    const [inner, outer] = [await createGroup(alice, 'inner'), await createGroup(alice, 'outer')];
    const id = await createGroup(alice, 'group', [bob], { subgroups: [inner] });
    const phone = await bob.listen({ event_types: ['user_group'] });
    const all = {
      add: [guest.id, carol.id, bot.id, carol.id],
      delete: [bob.id],
      add_subgroups: [outer],
      delete_subgroups: [inner],
    };
    expect(await change(alice, id, all)).toBe('ok');
    expect(await phone.hears()).toMatchObject([
      { op: 'add_members', group_id: id, user_ids: [carol.id, guest.id, bot.id].sort((a, b) => a - b) },
      { op: 'remove_members', group_id: id, user_ids: [bob.id] },
      { op: 'add_subgroups', group_id: id, direct_subgroup_ids: [outer] },
      { op: 'remove_subgroups', group_id: id, direct_subgroup_ids: [inner] },
    ]);
    expect((await groupsById(alice))[id]).toMatchObject({
      members: [carol.id, guest.id, bot.id].sort((a, b) => a - b),
      direct_subgroup_ids: [outer],
    });
  });

  test('are told by the notification bot, unless they did it themselves or are bots', async () => {
    const { alice, bob, carol, bot } = await realm();
    const id = await createGroup(alice, 'designers', [carol]);
    const [toBob, toAlice] = [await bob.listen(), await alice.listen({ event_types: ['message'] })];
    await change(alice, id, { add: [alice.id, bob.id, bot.id], delete: [carol.id] });
    const heard = await toBob.hears();
    const notice = heard.find(({ type }) => type === 'message');
    expect(notice?.['message'].content).toContain('added you to the group @_*designers*');
    expect(await toAlice.hears()).toEqual([]);
    const { messages } = await carol.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(messages[0].content).toContain(
      `removed you from the group <span class="user-group-mention silent" data-user-group-id="${id}">designers</span>`,
    );
  });

  test('are changed as each permission says, and of oneself with less', async () => {
    const { alice, bob, carol, moderator } = await realm();
    const nobody = await groupId(alice, 'role:nobody');
    const id = await createGroup(alice, 'group', [], {
      can_add_members_group: people(moderator),
      can_remove_members_group: people(carol),
      can_join_group: people(bob),
    });
    expect(await change(carol, id, { add: [carol.id] })).toBe(insufficient);
    expect(await change(bob, id, { add: [bob.id, carol.id] })).toBe(insufficient);
    expect(await change(bob, id, { add: [bob.id] })).toBe('ok');
    expect(await change(moderator, id, { add: [carol.id, moderator.id] })).toBe('ok');
    expect(await change(moderator, id, { delete: [bob.id] })).toBe(insufficient);
    expect(await change(bob, id, { delete: [bob.id] }), 'everyone may leave').toBe('ok');
    await succeed(alice.patch(`/user_groups/${id}`, { can_leave_group: { new: nobody } }));
    expect(await change(moderator, id, { delete: [moderator.id] })).toBe(insufficient);
    expect(await change(carol, id, { delete: [moderator.id] })).toBe('ok');
    expect(await change(alice, id, { add: [bob.id], delete: [carol.id] }), 'who manages it').toBe('ok');
  });

  test('are refused where the change is none, and then nothing changes', async () => {
    const { owner, alice, bob, carol } = await realm();
    const id = await createGroup(alice, 'group', [bob]);
    expect(await change(alice, id, { add: [carol.id, bob.id] })).toBe(
      `The user with the id ${bob.id} is already a member of this group.`,
    );
    expect(await change(alice, id, { add: [carol.id], delete: [alice.id] })).toBe(
      `The user with the id ${alice.id} is not a member of this group.`,
    );
    expect(await change(alice, id, { add: [2_000_000_000] })).toBe(
      'There is no user with the id 2000000000.',
    );
    expect(await change(alice, id, {})).toBe(
      'There is nothing to change. Send at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
    );
    await succeed(owner.delete(`/users/${carol.id}`));
    expect(await change(alice, id, { add: [carol.id] })).toBe(`There is no user with the id ${carol.id}.`);
    expect(await change(owner, await groupId(owner, 'role:members'), { add: [bob.id] })).toBe(insufficient);
    expect((await groupsById(alice))[id]).toMatchObject({ members: [bob.id] });
  });

  test('are listed and asked for, directly and through subgroups and roles', async () => {
    const { alice, bob, carol, moderator, owner, admin } = await realm();
    const moderators = await groupId(alice, 'role:moderators');
    const inner = await createGroup(alice, 'inner', [carol], { subgroups: [moderators] });
    const id = await createGroup(alice, 'group', [bob], { subgroups: [inner] });
    const members = async (params: object) =>
      (await alice.get(`/user_groups/${id}/members`, { ...params })).members;
    const all = [owner, admin, moderator, bob, carol].map((one) => one.id).sort((a, b) => a - b);
    expect(await members({})).toEqual(all);
    expect(await members({ direct_member_only: true })).toEqual([bob.id]);
    expect((await alice.get(`/user_groups/${moderators}/members`)).members).toEqual(
      [owner.id, admin.id, moderator.id].sort((a, b) => a - b),
    );
    const direct = await alice.get(`/user_groups/${moderators}/members`, { direct_member_only: true });
    expect(direct.members).toEqual([moderator.id]);
    const isIn = async (who: Person, params: object = {}) =>
      (await alice.get(`/user_groups/${id}/members/${who.id}`, { ...params })).is_user_group_member;
    expect([await isIn(bob), await isIn(carol), await isIn(owner), await isIn(alice)]).toEqual([
      true,
      true,
      true,
      false,
    ]);
    expect(await isIn(carol, { direct_member_only: true })).toBe(false);
    expect(outcomeOf(await alice.get(`/user_groups/${id}/members/2000000000`))).toBe(
      'There is no user with the id 2000000000.',
    );
  });

  test('members who are deactivated are not seen until they come back', async () => {
    const { owner, alice, bob } = await realm();
    const id = await createGroup(alice, 'group', [bob]);
    await succeed(owner.delete(`/users/${bob.id}`));
    expect((await groupsById(alice))[id]).toMatchObject({ members: [] });
    expect((await alice.get(`/user_groups/${id}/members`)).members).toEqual([]);
    const { is_user_group_member } = await alice.get(`/user_groups/${id}/members/${bob.id}`);
    expect(is_user_group_member).toBe(false);
    const phone = await alice.listen({ event_types: ['user_group'] });
    await succeed(owner.post(`/users/${bob.id}/reactivate`));
    expect(await phone.hears()).toContainEqual(
      expect.objectContaining({ op: 'add_members', group_id: id, user_ids: [bob.id] }),
    );
    expect((await groupsById(alice))[id]).toMatchObject({ members: [bob.id] });
  });

  test('members who are added twice at the same moment are added once', async () => {
    const { alice, owner, bob } = await realm();
    const id = await createGroup(alice, 'group');
    const phone = await bob.listen({ event_types: ['user_group'] });
    const outcomes = await Promise.all([alice, owner].map((by) => change(by, id, { add: [bob.id] })));
    expect(outcomes.sort()).toEqual([
      `The user with the id ${bob.id} is already a member of this group.`,
      'ok',
    ]);
    expect(await phone.hears()).toHaveLength(1);
  });
});
