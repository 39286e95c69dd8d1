import { expect, test } from 'vitest';

import type { UnreadPlace, UnreadSection } from '../../data/unread/unread-places.ts';
import { rowsOf, stepFrom } from './rows.ts';

const place = (name: string) => ({ place: name, href: `#${name}` }) as UnreadPlace;
const sections: UnreadSection[] = [
  { channelId: null, name: 'Direct messages', places: [place('people 2'), place('people 3')] },
  { channelId: 5, name: 'lab', places: [place('channel 5,tea')] },
];

test('keys walk over heads and conversations, and over the heads alone of what is folded', () => {
  const all = ['direct', 'people 2', 'people 3', 'channel 5 ', 'channel 5,tea'];
  expect(rowsOf(sections, () => false).map(({ key }) => key)).toEqual(all);
  const rows = rowsOf(sections, (key) => key === 'direct');
  expect(rows.map(({ key, places }) => [key, places.length])).toEqual([
    ['direct', 2],
    ['channel 5 ', 1],
    ['channel 5,tea', 1],
  ]);
});

test('a walk begins at the first line, and ends at the ends', () => {
  const rows = rowsOf(sections, () => false);
  expect(stepFrom(rows, null, 1)?.key).toBe('direct');
  expect(stepFrom(rows, 'people 3', 1)?.key).toBe('channel 5 ');
  expect(stepFrom(rows, 'channel 5,tea', 1)?.key).toBe('channel 5,tea');
  expect(stepFrom(rows, 'direct', -1)?.key).toBe('direct');
  expect(stepFrom([], null, 1)).toBeUndefined();
});
