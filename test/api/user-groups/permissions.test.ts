import { channelGroupNames, realmGroupRows } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import {
  type Event,
  type Person,
  createChannel,
  createGroup,
  groupId,
  outcomeOf,
  people,
  realm,
  say,
  succeed,
} from '../../support/index.ts';

const enter = (by: Person, group: number, who: Person) =>
  succeed(by.post(`/user_groups/${group}/members`, { add: [who.id] }));
const exit = (by: Person, group: number, who: Person) =>
  succeed(by.post(`/user_groups/${group}/members`, { delete: [who.id] }));

/** What a client was told of groups, channels and their subscribers, without ids of events. */
const told = (events: Event[]) =>
  events
    .filter(({ type }) => ['user_group', 'stream', 'subscription'].includes(type))
    .map(({ type, op }) => `${type} ${op}`);

describe('a permission that names a group', () => {
  test('is that of its members, and of those of its subgroups, from one message to the next', async () => {
    const { alice, bob } = await realm();
    const [inner, outer] = [await createGroup(alice, 'inner'), await createGroup(alice, 'outer')];
    const id = await createChannel(alice, 'posts', [alice, bob], { can_send_message_group: outer });
    const send = async () =>
      outcomeOf(await bob.post('/messages', { type: 'channel', to: id, topic: 't', content: 'x' }));
    const refusal = await send();
    expect(refusal).not.toBe('ok');
    await enter(alice, inner, bob);
    expect(await send()).toBe(refusal);
    await succeed(alice.post(`/user_groups/${outer}/subgroups`, { add: [inner] }));
    expect([await send(), await send()]).toEqual(['ok', 'ok']);
    await exit(alice, inner, bob);
    expect(await send()).toBe(refusal);
    await enter(alice, outer, bob);
    expect(await send()).toBe('ok');
    await succeed(alice.post(`/user_groups/${outer}/subgroups`, { delete: [inner] }));
    expect(await send()).toBe('ok');
  });

  test('may be any of the organization, of a channel and of a group', async () => {
    const { owner, alice } = await realm();
    const group = await createGroup(alice, 'group', [alice]);
    const value = { direct_members: [alice.id], direct_subgroups: [group] };
    for (const [name, { systemGroups }] of realmGroupRows) {
      const outcome = outcomeOf(await owner.patch('/realm', { [name]: { new: value } }));
      expect(outcome, name).toBe(systemGroups ? 'SYSTEM_GROUP_REQUIRED' : 'ok');
    }
    const channel = await createChannel(alice, 'channel');
    for (const name of channelGroupNames) {
      await succeed(alice.patch(`/streams/${channel}`, { [name]: { new: group } }));
      const stale = await alice.patch(`/streams/${channel}`, { [name]: { new: group, old: value } });
      expect(stale).toMatchObject({ code: 'EXPECTATION_MISMATCH', field_name: 'old' });
    }
  });

  test('decides for a bot, too, which may be in groups', async () => {
    const { owner, alice, bot } = await realm();
    const group = await createGroup(alice, 'makers', [bot]);
    await succeed(owner.patch('/realm', { can_create_private_channel_group: { new: group } }));
    const make = async (by: Person) =>
      outcomeOf(
        await by.post('/channels/create', { name: `of ${by.name}`, subscribers: [], invite_only: true }),
      );
    expect([await make(bot), await make(alice)]).toEqual(['ok', 'You do not have permission to do this.']);
  });
});

describe('a private channel that admits a group', () => {
  test('appears to those who enter it, with its subscribers, and disappears from those who leave', async () => {
    const { alice, bob, carol } = await realm();
    const group = await createGroup(alice, 'readers');
    const id = await createChannel(alice, 'private', [alice, carol], {
      invite_only: true,
      history_public_to_subscribers: true,
      can_subscribe_group: group,
    });
    await say(alice, id, 'topic', 'what was said before');
    const [phone, others] = [await bob.listen(), await carol.listen()];
    const read = async () =>
      (
        await bob.get('/messages', {
          anchor: 'newest',
          num_before: 9,
          num_after: 0,
          narrow: [['channel', id]],
        })
      ).messages?.length ?? 'refused';
    expect(await read()).toBe('refused');

    await enter(alice, group, bob);
    const heard = await phone.hears();
    expect(told(heard)).toEqual(['user_group add_members', 'stream create', 'subscription peer_add']);
    expect(heard[1]).toMatchObject({
      streams: [{ stream_id: id, subscriber_count: 2, can_subscribe_group: group }],
    });
    expect(heard[2]).toMatchObject({
      stream_ids: [id],
      user_ids: [alice.id, carol.id].sort((a, b) => a - b),
    });
    expect(told(await others.hears()), 'a subscriber sees it anyway').toEqual(['user_group add_members']);
    expect(await read()).toBe(2);

    await exit(alice, group, bob);
    expect(told(await phone.hears())).toEqual(['user_group remove_members', 'stream delete']);
    expect(await read()).toBe('refused');
  });

  test('stays with those who see it otherwise, and with their subscriptions', async () => {
    const { owner, alice, bob } = await realm();
    const group = await createGroup(alice, 'readers', [owner, bob]);
    const id = await createChannel(alice, 'private', [alice], {
      invite_only: true,
      can_subscribe_group: group,
    });
    await succeed(bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'private' }] }));
    const [phone, desk] = [await bob.listen(), await owner.listen()];
    await succeed(alice.post(`/user_groups/${group}/members`, { delete: [owner.id, bob.id] }));
    expect(told(await phone.hears()), 'subscribed').toEqual(['user_group remove_members']);
    expect(told(await desk.hears()), 'an administrator').toEqual(['user_group remove_members']);
    expect((await bob.get(`/streams/${id}`)).stream.stream_id).toBe(id);
  });

  test('follows groups within groups, roles among them, but not guests', async () => {
    const { alice, bob, moderator, guest } = await realm();
    const inner = await createGroup(alice, 'inner', [bob, guest]);
    const outer = await createGroup(alice, 'outer');
    await createChannel(alice, 'private', [alice], {
      invite_only: true,
      can_administer_channel_group: { ...people(alice), direct_subgroups: [outer] },
    });
    const phones = {
      bob: await bob.listen(),
      moderator: await moderator.listen(),
      guest: await guest.listen(),
    };
    const subgroups = [inner, await groupId(alice, 'role:moderators')];
    await succeed(alice.post(`/user_groups/${outer}/subgroups`, { add: subgroups }));
    const shown = ['user_group add_subgroups', 'stream create', 'subscription peer_add'];
    expect(told(await phones.bob.hears())).toEqual(shown);
    expect(told(await phones.moderator.hears())).toEqual(shown);
    expect(told(await phones.guest.hears())).toEqual(['user_group add_subgroups']);
    await succeed(alice.post(`/user_groups/${outer}/subgroups`, { delete: subgroups }));
    expect(told(await phones.bob.hears())).toEqual(['user_group remove_subgroups', 'stream delete']);
    expect(told(await phones.moderator.hears())).toEqual(['user_group remove_subgroups', 'stream delete']);
  });

  test('is told of by its changes to the members of the group', async () => {
    const { alice, bob } = await realm();
    const group = await createGroup(alice, 'readers', [bob]);
    const id = await createChannel(alice, 'private', [alice], { invite_only: true });
    const phone = await bob.listen();
    await succeed(alice.patch(`/streams/${id}`, { can_add_subscribers_group: { new: group } }));
    expect(told(await phone.hears())).toEqual(['stream create', 'subscription peer_add']);
    await succeed(alice.patch(`/streams/${id}`, { description: 'x' }));
    expect(told(await phone.hears())).toEqual(['stream update']);
    await succeed(alice.patch(`/streams/${id}`, { can_add_subscribers_group: { new: people(alice) } }));
    expect(told(await phone.hears())).toEqual(['stream delete']);
  });
});
