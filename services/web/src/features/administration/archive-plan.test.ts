import { expect, test } from 'vitest';

import { nameOfKind } from './archive-plan.tsx';

test('kinds of things in an archive are called by their names here, and others as the server calls them', () => {
  expect(['people', 'others', 'polls', 'toString'].map(nameOfKind)).toEqual([
    'People',
    'Other',
    'polls',
    'toString',
  ]);
});
