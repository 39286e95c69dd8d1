import type { UserGroupSetting } from '@parley/protocol';

import { type Person, createGroup, succeed, uploadEmoji } from '../../support/index.ts';
import { type Ask, type Forbidden, type Ground, nobody, sends } from './ground.ts';

type MakeInGroup = (ground: Ground, group: number) => Ask;

/** A permission of a group of the owner, which members have until nobody has it. */
const permission = (
  name: UserGroupSetting,
  action: string,
  act: MakeInGroup,
  members: (ground: Ground) => Person[] = () => [],
): Forbidden => ({
  setting: name,
  action,
  async prepare(ground) {
    const { owner, groups } = ground;
    const group = await createGroup(owner, 'theirs', members(ground), {
      can_join_group: groups['role:nobody'],
      can_leave_group: groups['role:nobody'],
      [name]: groups['role:members'],
    });
    return {
      forbid: () => owner.patch(`/user_groups/${group}`, { [name]: nobody(ground) }),
      act: act(ground, group),
    };
  },
});

const changes =
  (by: 'alice' | 'bob', op: 'add' | 'delete', whom: 'bob' | 'carol'): MakeInGroup =>
  (ground, group) =>
  () =>
    ground[by].post(`/user_groups/${group}/members`, { [op]: [ground[whom].id] });

export const ofGroups: Forbidden[] = [
  permission('can_add_members_group', 'a member', changes('alice', 'add', 'bob')),
  permission('can_join_group', 'oneself', changes('bob', 'add', 'bob')),
  permission('can_leave_group', 'a farewell', changes('bob', 'delete', 'bob'), ({ bob }) => [bob]),
  permission('can_remove_members_group', 'a removal', changes('alice', 'delete', 'bob'), ({ bob }) => [bob]),
  permission(
    'can_manage_group',
    'a description',
    ({ alice }, group) =>
      () =>
        alice.patch(`/user_groups/${group}`, { description: 'changed' }),
  ),
  permission(
    'can_mention_group',
    'a mention',
    ({ alice, news }) => sends(alice, news, 'hello @*theirs*'),
    ({ bob }) => [bob],
  ),
  {
    setting: 'a group without its member',
    action: 'what it permits',
    async prepare({ owner, alice, news }) {
      const group = await createGroup(owner, 'writers', [alice]);
      await succeed(owner.patch(`/streams/${news}`, { can_send_message_group: { new: group } }));
      return {
        forbid: () => owner.post(`/user_groups/${group}/members`, { delete: [alice.id] }),
        act: sends(alice, news),
      };
    },
  },
  {
    setting: 'a group without its subgroup',
    action: 'what it permits',
    async prepare({ owner, alice, news }) {
      const inner = await createGroup(owner, 'inner', [alice]);
      const group = await createGroup(owner, 'writers', []);
      await succeed(owner.post(`/user_groups/${group}/subgroups`, { add: [inner] }));
      await succeed(owner.patch(`/streams/${news}`, { can_send_message_group: { new: group } }));
      return {
        forbid: () => owner.post(`/user_groups/${group}/subgroups`, { delete: [inner] }),
        act: sends(alice, news),
      };
    },
  },
  {
    setting: 'a deactivated group',
    action: 'a permission that names it',
    excludes: true,
    async prepare({ owner, news }) {
      const group = await createGroup(owner, 'readers');
      return {
        forbid: () => owner.post(`/user_groups/${group}/deactivate`),
        act: () => owner.patch(`/streams/${news}`, { can_send_message_group: { new: group } }),
      };
    },
  },
  {
    setting: 'a deactivated group',
    action: 'a group that contains it',
    excludes: true,
    async prepare({ owner }) {
      const group = await createGroup(owner, 'readers');
      const outer = await createGroup(owner, 'outer');
      return {
        forbid: () => owner.post(`/user_groups/${group}/deactivate`),
        act: () => owner.post(`/user_groups/${outer}/subgroups`, { add: [group] }),
      };
    },
  },
];

/** What an account may not do any more, or others with it. */
const deactivated = (action: string, make: (ground: Ground) => Promise<Ask> | Ask): Forbidden => ({
  setting: 'deactivated',
  action,
  async prepare(ground) {
    const act = await make(ground);
    return { forbid: () => ground.owner.delete(`/users/${ground.alice.id}`), act };
  },
});

const becomesGuest = (action: string, make: (ground: Ground) => Promise<Ask> | Ask): Forbidden => ({
  setting: 'a guest',
  action,
  async prepare(ground) {
    const act = await make(ground);
    return { forbid: () => ground.owner.patch(`/users/${ground.alice.id}`, { role: 600 }), act };
  },
});

export const ofAccounts: Forbidden[] = [
  deactivated('a message', ({ alice, news }) => sends(alice, news)),
  deactivated('a message with a mention', ({ alice, news }) => sends(alice, news, '@**bob**')),
  deactivated(
    'an edit',
    ({ alice, said }) =>
      () =>
        alice.patch(`/messages/${said}`, { content: 'changed' }),
  ),
  deactivated(
    'a channel',
    ({ alice }) =>
      () =>
        alice.post('/channels/create', { name: 'made', subscribers: [] }),
  ),
  deactivated(
    'a draft',
    ({ alice, news }) =>
      () =>
        alice.post('/drafts', {
          drafts: [{ type: 'stream', to: [news], topic: 't', content: 'x', timestamp: 1 }],
        }),
  ),
  deactivated(
    'a message to them',
    ({ bob, alice }) =>
      () =>
        bob.post('/messages', { type: 'direct', to: [alice.id], content: 'hello' }),
  ),
  deactivated(
    'a subscription',
    ({ owner, alice }) =>
      () =>
        owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'made' }], principals: [alice.id] }),
  ),
  deactivated(
    'a group with them',
    ({ owner, alice }) =>
      () =>
        owner.post('/user_groups/create', { name: 'made', description: '', members: [alice.id] }),
  ),
  {
    setting: 'a deactivated bot',
    action: 'a message',
    prepare: ({ owner, bot, news }) => ({
      forbid: () => owner.delete(`/bots/${bot.id}`),
      act: sends(bot, news),
    }),
  },
  {
    setting: 'a deactivated organization',
    action: 'a message',
    prepare: ({ owner, alice, news }) => ({
      forbid: () => owner.post('/realm/deactivate'),
      act: sends(alice, news),
    }),
  },
  becomesGuest(
    'a channel',
    ({ alice }) =>
      () =>
        alice.post('/channels/create', { name: 'made', subscribers: [] }),
  ),
  becomesGuest('a message where they are not subscribed', async (ground) => {
    const { owner, alice } = ground;
    await succeed(owner.post('/channels/create', { name: 'open', subscribers: [owner.id] }));
    return () => alice.post('/messages', { type: 'channel', to: 'open', topic: 't', content: 'x' });
  }),
  {
    setting: 'no moderator',
    action: 'a deletion of another’s message',
    async prepare(ground) {
      const { owner, moderator, said, groups } = ground;
      const change = { can_delete_any_message_group: { new: groups['role:moderators'] } };
      await succeed(owner.patch('/realm', change));
      return {
        forbid: () => owner.patch(`/users/${moderator.id}`, { role: 400 }),
        act: () => moderator.delete(`/messages/${said}`),
      };
    },
  },
  {
    setting: 'no administrator',
    action: 'a setting',
    prepare: ({ owner, admin }) => ({
      forbid: () => owner.patch(`/users/${admin.id}`, { role: 400 }),
      act: () => admin.patch('/realm', { description: 'changed' }),
    }),
  },
  {
    setting: 'another key',
    action: 'a message',
    prepare: ({ alice, news }) => ({
      forbid: () => alice.post('/users/me/api_key/regenerate'),
      act: sends(alice, news),
    }),
  },
  {
    setting: 'a deleted message',
    action: 'a reaction',
    prepare: ({ owner, bob, said }) => ({
      forbid: () => owner.delete(`/messages/${said}`),
      act: () => bob.post(`/messages/${said}/reactions`, { emoji_name: 'tada' }),
    }),
  },
  {
    setting: 'a deactivated emoji',
    action: 'a reaction',
    async prepare(ground) {
      const { owner, bob, said } = ground;
      await uploadEmoji(ground, 'made');
      return {
        forbid: () => owner.delete('/realm/emoji/made'),
        act: () => bob.post(`/messages/${said}/reactions`, { emoji_name: 'made' }),
      };
    },
  },
];
