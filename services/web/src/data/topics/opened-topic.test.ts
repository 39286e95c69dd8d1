import { expect, test } from 'vitest';

import { openedTopic } from './opened-topic.ts';

const topics = ['spam', 'lunch', 'plan', 'trip'].map((name, at) => ({ name, max_id: 9 - at }));
const facts = {
  isMuted: (topic: string) => topic === 'spam',
  isUnread: (topic: string) => topic === 'spam' || topic === 'trip',
};

test('a channel opens with its newest topic, its newest unread one, or as a whole', () => {
  expect(openedTopic(topics, 1, facts)?.name).toBe('lunch');
  expect(openedTopic(topics, 4, facts)?.name).toBe('trip');
  expect(openedTopic(topics, 2, facts)).toBeNull();
});

test('a channel in which nothing is unread, all is muted or nothing was written opens all the same', () => {
  expect(openedTopic(topics, 4, { ...facts, isUnread: () => false })?.name).toBe('lunch');
  expect(openedTopic(topics, 1, { ...facts, isMuted: () => true })?.name).toBe('spam');
  expect(openedTopic([], 1, facts)).toBeNull();
});
