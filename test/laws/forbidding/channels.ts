import type { ChannelGroupSetting } from '@parley/protocol';

import { emptyChannel, idsOf, leave, say, succeed } from '../../support/index.ts';
import { type Ask, type Forbidden, type Ground, byAlice, nobody, sends, setChannel } from './ground.ts';

type Make = (ground: Ground) => Promise<Ask> | Ask;

const movesTo = (topic: string) =>
  byAlice(
    'patch',
    ({ said }) => `/messages/${said}`,
    () => ({ topic, propagate_mode: 'change_all' }),
  );
const subscribes = (name: string, ...who: ('alice' | 'carol')[]) =>
  byAlice(
    'post',
    () => '/users/me/subscriptions',
    (ground) => ({
      subscriptions: [{ name }],
      principals: idsOf(who.map((one) => ground[one])),
    }),
  );

/** A permission of the channel `news`, which members have until nobody has it; the organization's, nobody has. */
const permission = (
  name: ChannelGroupSetting,
  action: string,
  make: Make,
  withoutRealm: string[] = [],
): Forbidden => ({
  setting: name,
  action,
  async prepare(ground) {
    const { owner, news, groups } = ground;
    if (withoutRealm.length > 0) {
      const changes = Object.fromEntries(withoutRealm.map((one) => [one, nobody(ground)]));
      await succeed(owner.patch('/realm', changes));
    }
    const act = await make(ground);
    await succeed(owner.patch(`/streams/${news}`, { [name]: { new: groups['role:members'] } }));
    return { forbid: setChannel(ground, news, { [name]: nobody(ground) }), act };
  },
});

export const ofPermissions: Forbidden[] = [
  permission('can_add_subscribers_group', 'a subscription of another', subscribes('news', 'carol'), [
    'can_add_subscribers_group',
  ]),
  permission(
    'can_administer_channel_group',
    'a description',
    byAlice(
      'patch',
      ({ news }) => `/streams/${news}`,
      () => ({ description: 'changed' }),
    ),
  ),
  permission(
    'can_administer_channel_group',
    'an archived channel',
    byAlice('delete', ({ news }) => `/streams/${news}`),
  ),
  permission(
    'can_delete_any_message_group',
    'a deletion of another’s message',
    ({ bob, said }) =>
      () =>
        bob.delete(`/messages/${said}`),
  ),
  permission(
    'can_delete_own_message_group',
    'a deletion',
    byAlice('delete', ({ said }) => `/messages/${said}`),
    ['can_delete_own_message_group'],
  ),
  permission(
    'can_move_messages_out_of_channel_group',
    'a move to another channel',
    byAlice(
      'patch',
      ({ said }) => `/messages/${said}`,
      ({ talk }) => ({ stream_id: talk, propagate_mode: 'change_all' }),
    ),
    ['can_move_messages_between_channels_group'],
  ),
  permission('can_move_messages_within_channel_group', 'a move to another topic', movesTo('dinner'), [
    'can_move_messages_between_topics_group',
  ]),
  permission(
    'can_remove_subscribers_group',
    'a removal of another',
    byAlice(
      'delete',
      () => '/users/me/subscriptions',
      ({ bob }) => ({ subscriptions: ['news'], principals: idsOf([bob]) }),
    ),
  ),
  permission('can_resolve_topics_group', 'a resolved topic', movesTo('✔ lunch'), [
    'can_resolve_topics_group',
    'can_move_messages_between_topics_group',
  ]),
  permission('can_send_message_group', 'a message', ({ alice, news }) => sends(alice, news)),
  permission('can_send_message_group', 'a message with a mention', ({ alice, news }) =>
    sends(alice, news, '@**bob**'),
  ),
  permission('can_send_message_group', 'a move into it', async ({ alice, news, talk }) => {
    const id = await say(alice, talk);
    return () => alice.patch(`/messages/${id}`, { stream_id: news });
  }),
  {
    setting: 'can_subscribe_group',
    action: 'a subscription to a private channel',
    async prepare(ground) {
      const { owner, bob, groups } = ground;
      const id = await emptyChannel(owner, 'private', [owner], { invite_only: true });
      await succeed(owner.patch(`/streams/${id}`, { can_subscribe_group: { new: groups['role:members'] } }));
      return {
        forbid: setChannel(ground, id, { can_subscribe_group: nobody(ground) }),
        act: () => bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'private' }] }),
      };
    },
  },
];

/** A state of the channel `news` that forbids. */
const state = (
  setting: string,
  params: Record<string, unknown> | null,
  action: string,
  make: Make,
  excludes = false,
): Forbidden => ({
  setting,
  action,
  ...(excludes && { excludes }),
  async prepare(ground) {
    const act = await make(ground);
    const { owner, news } = ground;
    return {
      forbid: params ? setChannel(ground, news, params) : () => owner.delete(`/streams/${news}`),
      act,
    };
  },
});

const archived = (action: string, make: Make) => state('archived', null, action, make);
const toNews: Make = async ({ alice, news, talk }) => {
  const id = await say(alice, talk);
  return () => alice.patch(`/messages/${id}`, { stream_id: news });
};
const isPrivate = { is_private: true };

/** A channel of which all topics but the empty one are to be gone. */
const emptyTopicOnly = (action: string, make: Make): Forbidden => ({
  setting: 'topics_policy, empty_topic_only',
  action,
  excludes: true,
  async prepare(ground) {
    const { alice, said, news } = ground;
    await succeed(alice.patch(`/messages/${said}`, { topic: '', propagate_mode: 'change_all' }));
    return {
      forbid: setChannel(ground, news, { topics_policy: 'empty_topic_only' }),
      act: await make(ground),
    };
  },
});

export const ofStates: Forbidden[] = [
  emptyTopicOnly('a message', ({ alice, news }) => sends(alice, news)),
  emptyTopicOnly('a message with a mention', ({ alice, news }) => sends(alice, news, '@**bob**')),
  emptyTopicOnly('a message to a known topic', async ({ alice, news }) => {
    const id = await say(alice, news, 'dinner');
    await succeed(alice.delete(`/messages/${id}`));
    return sends(alice, news, 'hello', 'dinner');
  }),
  emptyTopicOnly('a rename', movesTo('dinner')),
  emptyTopicOnly('a move into it', toNews),
  state(
    'topics_policy, disable_empty_topic',
    { topics_policy: 'disable_empty_topic' },
    'a message',
    (ground) => sends(ground.alice, ground.news, 'hello', ''),
  ),
  archived('a message', ({ alice, news }) => sends(alice, news)),
  archived('a message with a mention', ({ alice, news }) => sends(alice, news, '@**bob**')),
  archived(
    'an edit',
    ({ alice, said }) =>
      () =>
        alice.patch(`/messages/${said}`, { content: 'changed' }),
  ),
  archived(
    'a deletion',
    ({ owner, said }) =>
      () =>
        owner.delete(`/messages/${said}`),
  ),
  archived(
    'a reaction',
    ({ bob, said }) =>
      () =>
        bob.post(`/messages/${said}/reactions`, { emoji_name: 'tada' }),
  ),
  archived('a move within it', movesTo('dinner')),
  archived('a move into it', toNews),
  archived(
    'a deletion of a topic',
    ({ owner, news }) =>
      () =>
        owner.post(`/streams/${news}/delete_topic`, { topic_name: 'lunch' }),
  ),
  archived(
    'a subscription',
    ({ carol }) =>
      () =>
        carol.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }] }),
  ),
  archived('a vote', async ({ alice, bob, news }) => {
    const id = await say(alice, news, 'lunch', '/poll Where?\nHere');
    const content = JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 });
    return () => bob.post('/submessage', { message_id: id, msg_type: 'widget', content });
  }),
  archived(
    'a default channel',
    ({ owner, news }) =>
      () =>
        owner.post('/default_streams', { stream_id: news }),
  ),
  archived(
    'an announcement channel',
    ({ owner, news }) =>
      () =>
        owner.patch('/realm', { new_stream_announcements_stream_id: news }),
  ),
  state('private', isPrivate, 'a message of a stranger', ({ carol, news }) => sends(carol, news)),
  state(
    'private',
    isPrivate,
    'a subscription',
    ({ carol }) =>
      () =>
        carol.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }] }),
  ),
  state(
    'private',
    isPrivate,
    'a reaction of a stranger',
    ({ carol, said }) =>
      () =>
        carol.post(`/messages/${said}/reactions`, { emoji_name: 'tada' }),
  ),
  state(
    'private',
    isPrivate,
    'a default channel',
    ({ owner, news }) =>
      () =>
        owner.post('/default_streams', { stream_id: news }),
    true,
  ),
  {
    setting: 'unsubscribed',
    action: 'a message to a private channel',
    async prepare({ owner, alice, bob }) {
      const id = await emptyChannel(owner, 'private', [owner, alice, bob], { invite_only: true });
      await say(alice, id);
      return { forbid: () => leave(owner, ['private'], [alice]), act: sends(alice, id, 'hello', 't') };
    },
  },
  {
    setting: 'unsubscribed',
    action: 'an edit in a private channel',
    async prepare({ owner, alice, bob }) {
      const id = await emptyChannel(owner, 'private', [owner, alice, bob], { invite_only: true });
      const said = await say(alice, id);
      return {
        forbid: () => leave(owner, ['private'], [alice]),
        act: () => alice.patch(`/messages/${said}`, { content: 'changed' }),
      };
    },
  },
  {
    setting: 'protected history',
    action: 'a reaction of one who was not there',
    async prepare(ground) {
      const { owner, alice, bob } = ground;
      const id = await emptyChannel(owner, 'private', [owner, alice], {
        invite_only: true,
        history_public_to_subscribers: true,
      });
      const said = await say(alice, id);
      const add = { subscriptions: [{ name: 'private' }], principals: [bob.id] };
      await succeed(owner.post('/users/me/subscriptions', add));
      return {
        forbid: setChannel(ground, id, { history_public_to_subscribers: false }),
        act: () => bob.post(`/messages/${said}/reactions`, { emoji_name: 'tada' }),
      };
    },
  },
  {
    setting: 'archived folder',
    action: 'a channel in it',
    async prepare({ owner, talk }) {
      const folder = { name: 'A folder', description: '' };
      const { channel_folder_id: id } = await succeed(owner.post('/channel_folders/create', folder));
      return {
        forbid: () => owner.patch(`/channel_folders/${id}`, { is_archived: true }),
        act: () => owner.patch(`/streams/${talk}`, { folder_id: id }),
      };
    },
    excludes: true,
  },
];
