import type { Message, State } from '@parley/client';
import { expect, test } from 'vitest';

import { isNotified } from './rules.ts';

const settings = {
  enable_desktop_notifications: true,
  enable_sounds: false,
  wildcard_mentions_notify: true,
  enable_followed_topic_desktop_notifications: true,
  enable_followed_topic_wildcard_mentions_notify: true,
  enable_stream_desktop_notifications: false,
};

const channel = (more: object = {}) => ({
  is_muted: false,
  desktop_notifications: null,
  wildcard_mentions_notify: null,
  ...more,
});

const stateOf = (change: object = {}) =>
  ({
    own: { user_id: 1, user_settings: { ...settings, ...change } },
    subscriptions: new Map<number, unknown>([
      [5, channel()],
      [6, channel({ desktop_notifications: true })],
      [7, channel({ is_muted: true, desktop_notifications: true })],
      [8, channel({ wildcard_mentions_notify: false })],
    ]),
    topics: new Map([
      ['6 quiet', { visibility_policy: 1 }],
      ['7 wanted', { visibility_policy: 3 }],
      ['7 heard', { visibility_policy: 2 }],
    ]),
  }) as unknown as State;

const messageOf = (stream_id: number | undefined, subject = 't', flags: string[] = [], sender_id = 2) =>
  ({ stream_id, subject, flags, sender_id }) as unknown as Message;

test.each([
  ['a direct message', messageOf(undefined), true],
  ['one’s own message', messageOf(undefined, '', [], 1), false],
  ['what is read already', messageOf(undefined, '', ['read']), false],
  ['a channel', messageOf(5), false],
  ['a channel with notifications', messageOf(6), true],
  ['a muted topic of it', messageOf(6, 'Quiet'), false],
  ['a mention in a muted topic', messageOf(6, 'Quiet', ['mentioned']), true],
  ['a mention of everyone', messageOf(5, 't', ['wildcard_mentioned']), true],
  ['a mention of everyone where one wants none', messageOf(8, 't', ['wildcard_mentioned']), false],
  ['a mention of everyone in a muted channel', messageOf(7, 't', ['wildcard_mentioned']), false],
  ['an alert word', messageOf(5, 't', ['has_alert_word']), true],
  ['a muted channel', messageOf(7), false],
  ['a followed topic of it', messageOf(7, 'wanted'), true],
  ['an unmuted topic of it', messageOf(7, 'heard'), true],
  ['a channel that one is not in', messageOf(9), false],
])('the settings decide whether %s notifies', (_, message, isExpected) => {
  expect(isNotified(message, stateOf(), 'desktop')).toBe(isExpected);
});

test('whoever wants no desktop notifications has none of what is for them', () => {
  const state = stateOf({ enable_desktop_notifications: false });
  expect(isNotified(messageOf(undefined), state, 'desktop')).toBe(false);
  expect(isNotified(messageOf(6), state, 'desktop')).toBe(true);
  expect(isNotified(messageOf(undefined), stateOf(), 'audible')).toBe(false);
});
