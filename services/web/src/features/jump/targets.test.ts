import { expect, test } from 'vitest';

import { findTargets } from './targets.ts';

type Known = Parameters<typeof findTargets>[1];

const user = (user_id: number, full_name: string, is_bot = false) => [
  user_id,
  { user_id, full_name, is_bot },
];
const channel = (stream_id: number, name: string, is_archived = false) => [
  stream_id,
  { stream_id, name, is_archived },
];
const message = (id: number, place: object) => [id, { id, ...place }];

// Safe: the function reads nothing else of a state.
const state = {
  own: { user_id: 1 },
  users: new Map([
    user(1, 'Me'),
    user(2, 'Alice Chen'),
    user(3, 'Bob Lark'),
    user(4, 'Larkbot', true),
  ] as never),
  subscriptions: new Map([channel(7, 'lab')] as never),
  channels: new Map([channel(7, 'lab'), channel(8, 'larks'), channel(9, 'old larks', true)] as never),
  topics: new Map([['7 quiet', { stream_id: 7, topic_name: 'Quiet', visibility_policy: 3 }]]),
  conversations: new Map([
    ['people 3', 40],
    ['people 2 3', 30],
  ]),
  unread: {
    at: new Map([['channel 7, plans for the lark', new Set([50])]]),
    topicNames: new Map([['channel 7, plans for the lark', 'Plans for the lark']]),
  },
  messages: new Map([
    message(41, { stream_id: 7, subject: 'Newest' }),
    message(60, { stream_id: 7, subject: 'newest' }),
    message(20, { people: '1,2', subject: '' }),
  ] as never),
} as unknown as Known;

const labels = (query: string) =>
  findTargets(query, state).map(({ label, detail }) => `${label} · ${detail}`);

test('the palette has, before anything is typed, what was talked about last, and the views', () => {
  expect(labels(' ').slice(0, 5)).toEqual([
    'newest · #lab',
    'Plans for the lark · #lab',
    'Alice Chen, Bob Lark · Direct messages',
    'Quiet · #lab',
    'Inbox · View',
  ]);
});

test('a text finds channels, topics and people, the best first, and at last the messages that say it', () => {
  expect(labels('lark')).toEqual([
    '#larks · Channel',
    'Larkbot · Bot',
    'Plans for the lark · #lab',
    'Alice Chen, Bob Lark · Direct messages',
    'Bob Lark · Person',
    'Search messages for “lark” · ',
  ]);
});

test('a topic is found by its channel and its name together', () => {
  expect(labels('lab > q')[0]).toBe('Quiet · #lab');
  expect(findTargets('lab newest', state)[0]?.href).toBe('#narrow/channel/7-lab/topic/newest/with/60');
});

test('commands are found by what they are called, and lead nowhere', () => {
  expect(findTargets('keyb', state)[0]).toMatchObject({ key: 'keys', href: null });
});
