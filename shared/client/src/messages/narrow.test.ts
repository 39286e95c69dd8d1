import { expect, test } from 'vitest';

import type { Message } from '../state/message.ts';
import { emptyState, messageOf } from '../state/state.test-support.ts';
import { type Narrow, type Term, matches, mayMatchAt } from './narrow.ts';

const state = emptyState({
  subscriptions: [{ stream_id: 2, is_muted: true }] as never,
  user_topics: [{ stream_id: 2, topic_name: 'Tea', last_updated: 0, visibility_policy: 3 }],
});

const inTea = messageOf(1, { channel: 2, topic: 'tea' });
const inCake = messageOf(2, { channel: 2, topic: '✔ cake' }, ['starred']);
const direct = messageOf(3, { people: [1, 2, 5] }, ['read', 'mentioned']);

const by = (operator: string, operand: Term['operand'], negated = false): Narrow => [
  { operator, operand, negated },
];

test.each<[Narrow, Message, boolean | null]>([
  [[], direct, true],
  [by('channel', 2), inTea, true],
  [by('channel', 2), direct, false],
  [by('channel', 2, true), direct, true],
  [by('channel', 'name'), inTea, null],
  [by('topic', 'TEA'), inTea, true],
  [by('topic', 'tea'), inCake, false],
  [by('dm', [5, 2]), direct, true],
  [by('dm', [2]), direct, false],
  [by('dm-including', 5), direct, true],
  [by('sender', 2), inTea, true],
  [by('is', 'dm'), direct, true],
  [by('is', 'unread'), direct, false],
  [by('is', 'starred'), inCake, true],
  [by('is', 'mentioned'), direct, true],
  [by('is', 'resolved'), inCake, true],
  [by('is', 'followed'), inTea, true],
  [by('is', 'muted'), inCake, true],
  [by('is', 'muted', true), inCake, false],
  [by('is', 'muted'), inTea, false],
  [by('in', 'home'), inCake, false],
  [by('has', 'link'), inTea, null],
  [[...by('has', 'link'), ...by('channel', 9)], inTea, false],
])('%j of %o is %s', (narrow, message, expected) => {
  expect(matches(narrow, message, state)).toBe(expected);
});

test('the place of a message that is not loaded may exclude it', () => {
  const narrow = [...by('channel', 2), ...by('topic', 'Tea'), ...by('search', 'x')];
  expect(mayMatchAt(narrow, 'channel 2, tea')).toBe(true);
  expect(mayMatchAt(narrow, 'channel 2, cake')).toBe(false);
  expect(mayMatchAt(narrow, 'people 2')).toBe(false);
});
