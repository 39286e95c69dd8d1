import { expect, test } from 'vitest';

import { apply } from '../state/apply.ts';
import { noChanges } from '../state/changes.ts';
import { derive } from '../state/derive.ts';
import { emptyState, messageOf } from '../state/state.test-support.ts';
import { answer } from './answer.ts';

/** A channel as it is registered, as far as it matters here. */
const channel = (stream_id: number, invite_only: boolean, joiners: number[] = []) => ({
  stream_id,
  name: 'news',
  invite_only,
  is_web_public: false,
  history_public_to_subscribers: true,
  can_add_subscribers_group: { direct_members: [], direct_subgroups: [] },
  can_subscribe_group: { direct_members: joiners, direct_subgroups: [7] },
});

/** The account is 1. */
const stateOf = (streams: object[], members: number[] = []) =>
  emptyState({
    streams,
    never_subscribed: streams,
    realm_user_groups: [{ id: 7, name: 'readers', members, direct_subgroup_ids: [] }],
  } as never);

test('what is answered of a private channel is kept for those who may join it and see its history, as at the start', async () => {
  const ofMembers = { ...channel(4, true, [1]), history_public_to_subscribers: false };
  const state = stateOf([channel(1, false), channel(2, true), channel(3, true, [1]), ofMembers]);
  const changes = noChanges();
  for (const id of [1, 2, 3, 4]) changes.questions.channels.add(id);
  let asked = 0;
  await answer(state, changes, () => Promise.resolve([messageOf((asked += 1) + 10, { channel: asked })]));
  derive(state, changes);
  expect([...state.messages.keys()]).toEqual([11, 13]);
});

const groupEvent = (op: string) => ({ type: 'user_group', op, group_id: 7, user_ids: [1] });
const permissionEvent = (joiners: number[]) => ({
  type: 'stream',
  op: 'update',
  stream_id: 2,
  name: 'news',
  property: 'can_subscribe_group',
  value: { direct_members: joiners, direct_subgroups: [] },
});

test.each([
  ['in a group that may join it', [], groupEvent('add_members')],
  ['who may join it', [], permissionEvent([1])],
])('a private channel is asked for by who comes to be %s', (_, members, event) => {
  const changes = noChanges();
  apply(stateOf([channel(1, false), channel(2, true)], members), event as never, changes);
  expect([...changes.questions.channels]).toEqual([2]);
});

test.each([
  ['in no group that may join it', groupEvent('remove_members')],
  ['nobody who may join it', permissionEvent([])],
])('nothing of a private channel is kept for a user who becomes %s', (_, event) => {
  const state = stateOf([channel(1, false), channel(2, true)], [1]);
  for (const id of [1, 2]) state.messages.set(id, messageOf(id, { channel: id }));
  const changes = noChanges();
  apply(state, event as never, changes);
  derive(state, { ...noChanges(), access: changes.access });
  expect([...state.messages.keys()]).toEqual([1]);
});
