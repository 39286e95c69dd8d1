import * as actions from '@parley/actions';
import { expect, test } from 'vitest';

import { createChannel, createGroup, performDuring, realm, succeed } from '../support/index.ts';

/** No permission names the group before: its members change without a new version of the rules. */
async function prepare() {
  const people = await realm();
  const group = await createGroup(people.alice, 'readers');
  const add = { add: [people.bob.id] };
  const enter = () => succeed(people.owner.post(`/user_groups/${group}/members`, add));
  return { ...people, group, enter };
}

test('whoever enters a group while a channel comes to name it is shown the channel', async () => {
  const { alice, bob, group, enter } = await prepare();
  const channelId = await createChannel(alice, 'private', [alice], { invite_only: true });
  const phone = await bob.listen({ event_types: ['stream'] });
  const permissions = { can_subscribe_group: { new: group } };
  await performDuring(
    alice.realm,
    (tx) => actions.channels.edit(tx, { actor: alice.actor, channelId, permissions }),
    enter,
  );
  expect(await phone.hears()).toMatchObject([{ op: 'create', streams: [{ stream_id: channelId }] }]);
});

test('whoever enters a group while a channel is made that names it is shown the channel', async () => {
  const { alice, bob, group, enter } = await prepare();
  const phone = await bob.listen({ event_types: ['stream'] });
  const channel = {
    name: 'private',
    description: '',
    isPrivate: true,
    groupSettings: { can_subscribe_group: group },
  };
  const input = { channel, subscribers: [alice.id], isAnnounced: false };
  await performDuring(
    alice.realm,
    (tx) => actions.channels.create(tx, { actor: alice.actor, ...input }),
    enter,
  );
  expect(await phone.hears()).toMatchObject([{ op: 'create', streams: [{ name: 'private' }] }]);
});

test('whoever enters a group while another that is named comes to contain it is shown the channel', async () => {
  const { alice, bob, group, enter } = await prepare();
  const outer = await createGroup(alice, 'outer');
  await createChannel(alice, 'private', [alice], { invite_only: true, can_subscribe_group: outer });
  const phone = await bob.listen({ event_types: ['stream'] });
  const change = { groupId: outer, add: [], remove: [], addSubgroups: [group], removeSubgroups: [] };
  await performDuring(
    alice.realm,
    (tx) => actions.userGroups.changeMembers(tx, { actor: alice.actor, ...change }),
    enter,
  );
  expect(await phone.hears()).toMatchObject([{ op: 'create', streams: [{ name: 'private' }] }]);
});
