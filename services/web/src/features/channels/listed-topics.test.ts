import { expect, test } from 'vitest';

import { type ShownTopics, listedTopics } from './listed-topics.ts';

const topics = ['Tea', '✔ Cake', '', 'team'].map((name, at) => ({ name, max_id: 9 - at }));
const facts = {
  nameOf: (topic: string) => topic || 'general chat',
  unreadIn: (topic: string) => (topic === 'Tea' ? 2 : 0),
  isFollowed: (topic: string) => topic === '',
  isResolved: (topic: string) => topic.startsWith('✔'),
};

test.each<[string, ShownTopics, string[]]>([
  ['', 'all', ['Tea', '✔ Cake', '', 'team']],
  ['TEA', 'all', ['Tea', 'team']],
  ['chat', 'all', ['']],
  ['', 'unread', ['Tea']],
  ['', 'followed', ['']],
  ['', 'resolved', ['✔ Cake']],
  ['te', 'unresolved', ['Tea', 'team']],
])('%j among those that are %s finds %j', (query, shown, names) => {
  expect(listedTopics(topics, query, shown, facts).map(({ name }) => name)).toEqual(names);
});
