import { expect, test } from 'vitest';

import { type Shown, listedChannels } from './listed.ts';

const channel = (stream_id: number, name: string, rendered_description = '', is_archived = false) => ({
  stream_id,
  name,
  rendered_description,
  is_archived,
});

const channels = [
  channel(1, 'lab 10'),
  channel(2, 'lab 9', '<p>Where we <strong>measure</strong>.</p>'),
  channel(3, 'measures'),
  channel(4, 'Lunch'),
  channel(5, 'old lab', '', true),
];

test.each<[string, Shown, number[]]>([
  ['', 'all', [2, 1, 4, 3]],
  ['', 'subscribed', [2, 4]],
  ['', 'others', [1, 3]],
  ['#LAB', 'all', [2, 1]],
  ['measure', 'all', [3, 2]],
  ['strong', 'all', []],
])('%j among %s finds %j', (query, shown, ids) => {
  const isSubscribed = (id: number) => id === 2 || id === 4;
  expect(listedChannels(channels, query, shown, isSubscribed).map(({ stream_id }) => stream_id)).toEqual(ids);
});
