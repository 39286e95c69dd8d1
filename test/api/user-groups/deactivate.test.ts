import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  createChannel,
  createGroup,
  groupsById,
  newest,
  outcomeOf,
  people,
  realm,
  succeed,
} from '../../support/index.ts';

const deactivate = (by: Person, id: number) => by.post(`/user_groups/${id}/deactivate`);

describe('a group that is deactivated', () => {
  test('is gone for clients that list none, and comes back to them whole', async () => {
    const { alice, bob } = await realm();
    const id = await createGroup(alice, 'group', [bob]);
    const phones = { modern: await bob.listen({ client_capabilities: newest }), old: await bob.listen() };
    const hear = async () => ({ modern: await phones.modern.hears(), old: await phones.old.hears() });
    await succeed(deactivate(alice, id));
    expect(await hear()).toMatchObject({
      modern: [{ type: 'user_group', op: 'update', group_id: id, data: { deactivated: true } }],
      old: [{ type: 'user_group', op: 'remove', group_id: id }],
    });
    await succeed(alice.patch(`/user_groups/${id}`, { name: 'renamed' }));
    await succeed(alice.post(`/user_groups/${id}/members`, { add: [alice.id] }));
    const [heard, inner] = [await hear(), await createGroup(alice, 'inner')];
    expect(heard).toMatchObject({ modern: [{ data: { name: 'renamed' } }, { op: 'add_members' }], old: [] });
    await hear();
    await succeed(alice.post(`/user_groups/${id}/subgroups`, { add: [inner] }));
    expect(await hear()).toMatchObject({ modern: [{ op: 'add_subgroups' }], old: [] });
    await succeed(alice.patch(`/user_groups/${id}`, { deactivated: false }));
    const back = {
      id,
      name: 'renamed',
      deactivated: false,
      members: [alice.id, bob.id].sort((a, b) => a - b),
    };
    const { modern, old } = await hear();
    expect(modern).toMatchObject([{ op: 'update', data: { deactivated: false } }]);
    expect(old).toMatchObject([{ op: 'add', group: { ...back, direct_subgroup_ids: [inner] } }]);
    expect(old[0]?.['group']).toEqual((await groupsById(bob))[id]);
  });

  test('is listed to whoever asks for such groups', async () => {
    const { alice, bob } = await realm();
    const id = await createGroup(alice, 'group', [bob]);
    await succeed(deactivate(alice, id));
    const register = (client_capabilities?: object) =>
      bob.post('/register', { fetch_event_types: ['realm_user_groups'], client_capabilities });
    const has = (list: Json[]) => list.some((group) => group.id === id);
    expect(has((await register()).realm_user_groups)).toBe(false);
    expect(has((await register(newest)).realm_user_groups)).toBe(true);
    expect(has((await bob.get('/user_groups')).user_groups)).toBe(false);
    expect((await groupsById(bob))[id]).toMatchObject({ deactivated: true, members: [bob.id] });
    expect((await bob.get(`/user_groups/${id}/members`)).members).toEqual([bob.id]);
  });

  test('is one that nothing uses', async () => {
    const { owner, alice } = await realm();
    const id = await createGroup(alice, 'used');
    const outer = await createGroup(alice, 'outer', [], { subgroups: [id], can_join_group: id });
    const channel = await createChannel(alice, 'channel', [alice], {
      can_send_message_group: { direct_members: [alice.id], direct_subgroups: [id] },
      can_subscribe_group: id,
    });
    await succeed(owner.patch('/realm', { can_add_subscribers_group: { new: id } }));
    await succeed(alice.patch(`/user_groups/${id}`, { can_manage_group: { new: people(alice, owner) } }));
    expect(await deactivate(alice, id)).toMatchObject({
      code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
      objections: [
        { type: 'subgroup', supergroup_ids: [outer] },
        { type: 'channel', channel_id: channel, settings: ['can_send_message_group', 'can_subscribe_group'] },
        { type: 'user_group', group_id: outer, settings: ['can_join_group'] },
        { type: 'realm', settings: ['can_add_subscribers_group'] },
      ],
    });
    await succeed(owner.patch('/realm', { can_add_subscribers_group: { new: people(owner) } }));
    await succeed(owner.delete(`/streams/${channel}`));
    await succeed(deactivate(alice, outer));
    expect(outcomeOf(await deactivate(alice, id))).toBe('ok');
  });

  test('may be used by nothing, nor be deactivated again', async () => {
    const { owner, alice, bob } = await realm();
    const [id, outer] = [await createGroup(alice, 'gone'), await createGroup(alice, 'outer')];
    expect(outcomeOf(await deactivate(bob, id))).toBe('You do not have permission to do this.');
    await succeed(deactivate(alice, id));
    const refusal = 'This user group is deactivated.';
    expect(outcomeOf(await deactivate(alice, id))).toBe(refusal);
    expect(outcomeOf(await alice.post(`/user_groups/${outer}/subgroups`, { add: [id] }))).toBe(refusal);
    expect(outcomeOf(await owner.patch('/realm', { can_create_groups: { new: id } }))).toBe(refusal);
    expect(outcomeOf(await alice.patch(`/user_groups/${outer}`, { can_mention_group: { new: id } }))).toBe(
      refusal,
    );
  });
});
