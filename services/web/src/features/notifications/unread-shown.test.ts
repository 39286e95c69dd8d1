import { type State, amongPeople, inTopic } from '@parley/client';
import { expect, test } from 'vitest';

import { unreadShown } from './unread-shown.ts';

const at = new Map([
  [amongPeople([2]), new Set([1, 2])],
  [inTopic(5, 'tea'), new Set([3, 4, 5])],
  [inTopic(5, 'wanted'), new Set([6])],
  [inTopic(6, 'noise'), new Set([7, 8])],
]);
const state = {
  unread: { at },
  mentions: new Set([4, 7]),
  topics: new Map([['5 wanted', { visibility_policy: 3 }]]),
  subscriptions: new Map([[6, { is_muted: true }]]),
} as unknown as State;

test.each([
  ['everything that is not muted, and mentions', 1, 2 + 3 + 1 + 1],
  ['direct messages, mentions and followed topics', 2, 2 + 2 + 1],
  ['direct messages and mentions', 3, 2 + 2],
  ['nothing', 4, 0],
])('%s', (_, display, count) => {
  expect(unreadShown(state, display)).toBe(count);
});
