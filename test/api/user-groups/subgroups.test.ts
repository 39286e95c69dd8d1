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
  outcomeOf(await by.post(`/user_groups/${id}/subgroups`, { ...params }));

describe('subgroups', () => {
  test('are added and removed in one change, and told to everyone', async () => {
    const { alice, guest } = await realm();
    const [a, b, c] = [
      await createGroup(alice, 'a'),
      await createGroup(alice, 'b'),
      await createGroup(alice, 'c'),
    ];
    await succeed(alice.post(`/user_groups/${a}/subgroups`, { add: [b] }));
    const phone = await guest.listen();
    expect(await change(alice, a, { add: [c, c], delete: [b] })).toBe('ok');
    expect(await phone.hears()).toMatchObject([
      { type: 'user_group', op: 'add_subgroups', group_id: a, direct_subgroup_ids: [c] },
      { type: 'user_group', op: 'remove_subgroups', group_id: a, direct_subgroup_ids: [b] },
    ]);
    expect((await groupsById(alice))[a]).toMatchObject({ direct_subgroup_ids: [c] });
  });

  test('are listed directly or with theirs', async () => {
    const { alice } = await realm();
    const moderators = await groupId(alice, 'role:moderators');
    const smaller = await Promise.all(
      ['role:owners', 'role:administrators'].map((name) => groupId(alice, name)),
    );
    const c = await createGroup(alice, 'c', [], { subgroups: [moderators] });
    const b = await createGroup(alice, 'b', [], { subgroups: [c] });
    const a = await createGroup(alice, 'a', [], { subgroups: [b] });
    const listed = async (id: number, params: object = {}) =>
      (await alice.get(`/user_groups/${id}/subgroups`, { ...params })).subgroups;
    expect(await listed(a, { direct_subgroup_only: true })).toEqual([b]);
    expect(await listed(a)).toEqual([...smaller, moderators, c, b].sort((x, y) => x - y));
    expect(await listed(moderators)).toEqual(smaller.sort((x, y) => x - y));
    expect(await listed(moderators, { direct_subgroup_only: true })).toHaveLength(1);
  });

  test('never contain what contains them', async () => {
    const { alice } = await realm();
    const c = await createGroup(alice, 'c');
    const b = await createGroup(alice, 'b', [], { subgroups: [c] });
    const a = await createGroup(alice, 'a', [], { subgroups: [b] });
    const cycle = (id: number) => `The group with the id ${id} already contains one of these groups.`;
    expect(await change(alice, c, { add: [a] })).toBe(cycle(c));
    expect(await change(alice, b, { add: [a] })).toBe(cycle(b));
    expect(await change(alice, a, { add: [a] })).toBe(cycle(a));
    expect(outcomeOf(await alice.post(`/user_groups/${c}/members`, { add_subgroups: [a] }))).toBe(cycle(c));
  });

  test('never contain each other, also when both are added at the same moment', async () => {
    const { owner, alice } = await realm();
    for (let round = 0; round < 8; round += 1) {
      const ids = await Promise.all(['x', 'y', 'z'].map((name) => createGroup(alice, `${name}${round}`)));
      const [x = 0, y = 0, z = 0] = ids;
      const outcomes = await Promise.all([
        change(alice, x, { add: [y] }),
        change(owner, y, { add: [z] }),
        change(alice, z, { add: [x] }),
      ]);
      expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(2);
      const groups = await groupsById(alice);
      const subgroups = ids.flatMap((id) => groups[id]?.direct_subgroup_ids);
      expect(subgroups).toHaveLength(2);
    }
  });

  test('are refused where the change is none, or without the permission', async () => {
    const { alice, bob, carol } = await realm();
    const b = await createGroup(alice, 'b');
    const a = await createGroup(alice, 'a', [], { subgroups: [b], can_add_members_group: people(bob) });
    const c = await createGroup(alice, 'c');
    expect(await change(alice, a, {})).toBe(
      'There is nothing to change. Send at least one of "add" or "delete".',
    );
    expect(await change(alice, a, { add: [b] })).toBe(
      `The group with the id ${b} is already a subgroup of this group.`,
    );
    expect(await change(alice, a, { delete: [c] })).toBe(
      `The group with the id ${c} is not a subgroup of this group.`,
    );
    expect(await change(alice, a, { add: [2_000_000_000] })).toBe(
      'There is no user group with the id 2000000000.',
    );
    expect(await change(carol, a, { add: [c] })).toBe('You do not have permission to do this.');
    expect(await change(bob, a, { add: [c] })).toBe('ok');
    expect(await change(bob, a, { delete: [c] }), 'which takes more than adding').toBe(
      'You do not have permission to do this.',
    );
  });
});
