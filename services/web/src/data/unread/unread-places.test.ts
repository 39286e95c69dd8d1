import { type Registered, readState } from '@parley/client';
import { expect, test } from 'vitest';

import { type UnreadFilter, unreadSections } from './unread-places.ts';

const subscription = (stream_id: number, name: string, more: object = {}) => ({
  stream_id,
  name,
  is_muted: false,
  pin_to_top: false,
  ...more,
});

/** The state of somebody with unread messages here and there. */
const stateOf = (more: object = {}) =>
  readState({
    user_id: 1,
    realm_users: [
      { user_id: 2, full_name: 'Zoe' },
      { user_id: 3, full_name: 'Ann' },
    ],
    realm_non_active_users: [],
    realm_user_groups: [],
    streams: [],
    subscriptions: [
      subscription(5, 'beta'),
      subscription(6, 'alpha'),
      subscription(7, 'loud', { is_muted: true }),
    ],
    unsubscribed: [],
    never_subscribed: [],
    max_message_id: null,
    user_status: {},
    unread_msgs: {
      pms: [{ other_user_id: 2, unread_message_ids: [9] }],
      huddles: [{ user_ids_string: '1,2,3', unread_message_ids: [30, 12] }],
      streams: [
        { stream_id: 5, topic: 'Tea', unread_message_ids: [10, 14] },
        { stream_id: 5, topic: '', unread_message_ids: [20] },
        { stream_id: 6, topic: 'x', unread_message_ids: [11] },
        { stream_id: 7, topic: 'noise', unread_message_ids: [15] },
        { stream_id: 7, topic: 'wanted', unread_message_ids: [16] },
        { stream_id: 7, topic: 'to me', unread_message_ids: [17] },
      ],
      mentions: [14, 17],
    },
    user_topics: [{ stream_id: 7, topic_name: 'Wanted', last_updated: 0, visibility_policy: 3 }],
    starred_messages: [],
    recent_private_conversations: [],
    drafts: [],
    saved_snippets: [],
    scheduled_messages: [],
    reminders: [],
    navigation_views: [],
    ...more,
  } as unknown as Registered);

const shown = (state: ReturnType<typeof stateOf>, filter?: UnreadFilter, text?: string) =>
  unreadSections(state, filter, text).map(({ name, places }) => [
    name,
    ...places.map(
      (one) => `${one.name} ${one.count}${one.isMentioned ? ' @' : ''}${one.isFollowed ? ' f' : ''}`,
    ),
  ]);

test('direct conversations come first, then channels; in each, what is newest', () => {
  expect(shown(stateOf())).toEqual([
    ['Direct messages', 'Ann, Zoe 2', 'Zoe 1'],
    ['alpha', 'x 1'],
    ['beta', 'general chat 1', 'Tea 2 @'],
    ['loud', 'to me 1 @', 'wanted 1 f'],
  ]);
});

test('pinned channels come before others, and of those that one has left nothing is shown', () => {
  const subscriptions = [subscription(5, 'beta', { pin_to_top: true }), subscription(6, 'alpha')];
  expect(shown(stateOf({ subscriptions })).map(([name]) => name)).toEqual([
    'Direct messages',
    'beta',
    'alpha',
  ]);
});

test('where all is read, there is nothing', () => {
  expect(shown(stateOf({ unread_msgs: { pms: [], huddles: [], streams: [], mentions: [] } }))).toEqual([]);
});

test('links lead to the messages', () => {
  const [direct, , beta] = unreadSections(stateOf());
  expect([direct?.places[0]?.href, beta?.places[1]?.href]).toEqual([
    '#narrow/dm/2.2C3',
    '#narrow/channel/5-beta/topic/Tea/with/14',
  ]);
});

test('a filter shows all topics, or only those that are followed; direct conversations stay', () => {
  const state = stateOf();
  expect(shown(state, 'all').at(-1)).toEqual(['loud', 'to me 1 @', 'wanted 1 f', 'noise 1']);
  expect(shown(state, 'followed')).toEqual([
    ['Direct messages', 'Ann, Zoe 2', 'Zoe 1'],
    ['loud', 'wanted 1 f'],
  ]);
});

test('a text finds conversations by their names and those of their channels', () => {
  expect(shown(stateOf(), 'unmuted', 'ann')).toEqual([['Direct messages', 'Ann, Zoe 2']]);
  expect(shown(stateOf(), 'unmuted', 'tea')).toEqual([['beta', 'Tea 2 @']]);
  expect(shown(stateOf(), 'unmuted', 'beta')).toEqual([['beta', 'general chat 1', 'Tea 2 @']]);
});
