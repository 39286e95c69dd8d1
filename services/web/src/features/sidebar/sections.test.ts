import type { Subscription } from '@parley/client';
import { expect, test } from 'vitest';

import { sectionsOf } from './sections.ts';

const channel = (name: string, more: Partial<Subscription> = {}) =>
  ({
    name,
    is_muted: false,
    is_archived: false,
    pin_to_top: false,
    folder_id: null,
    ...more,
  }) as Subscription;

test('channels stand in their folders, pinned ones above and muted ones below', () => {
  const folders = [
    { id: 1, name: 'Later', order: 2 },
    { id: 2, name: 'Sooner', order: 1 },
    { id: 3, name: 'Empty', order: 0 },
    { id: 4, name: 'Gone', order: 4, is_archived: true },
  ];
  const sections = sectionsOf(
    [
      channel('b'),
      channel('C'),
      channel('a', { is_muted: true }),
      channel('d10', { folder_id: 1 }),
      channel('d9', { folder_id: 1 }),
      channel('e', { folder_id: 2 }),
      channel('f', { folder_id: 2, pin_to_top: true }),
      channel('g', { folder_id: 4 }),
      channel('h', { is_archived: true }),
    ],
    folders,
  );
  expect(sections.map(({ title, channels }) => [title, channels.map(({ name }) => name)])).toEqual([
    ['Pinned channels', ['f']],
    ['Sooner', ['e']],
    ['Later', ['d9', 'd10']],
    ['Channels', ['b', 'C', 'g', 'a']],
  ]);
});
