import { describe, expect, test } from 'vitest';

import { cutPage } from './page-bytes.ts';

const bytesOf = (sizes: Record<number, number>) =>
  new Map(Object.entries(sizes).map(([id, bytes]) => [Number(id), bytes]));
const ids = [1, 2, 3, 5, 6, 7];
const even = bytesOf({ 1: 10, 2: 10, 3: 10, 4: 10, 5: 10, 6: 10, 7: 10 });

describe('a page is cut to what is nearest to its anchor', () => {
  test.each([
    [4, 60, [1, 2, 3, 5, 6, 7]],
    [4, 40, [2, 3, 5, 6]],
    [4, 30, [2, 3, 5]],
    [3, 30, [2, 3, 5]],
    [0, 30, [1, 2, 3]],
    [8, 30, [5, 6, 7]],
  ])('anchor %i, at most %i bytes: %j', (anchor, bytesMax, expected) => {
    expect(cutPage(ids, anchor, even, bytesMax)).toEqual(expected);
  });

  test('a page contains one message of each side and the anchor, however long they are', () => {
    expect(cutPage(ids, 4, even, 1)).toEqual([3, 5]);
    expect(cutPage(ids, 3, even, 1)).toEqual([2, 3, 5]);
    expect(cutPage([], 3, even, 1)).toEqual([]);
  });

  test('a page has no holes: a long message ends its side', () => {
    expect(cutPage(ids, 4, bytesOf({ 1: 1, 2: 100, 3: 1, 5: 1, 6: 1, 7: 1 }), 50)).toEqual([3, 5, 6, 7]);
  });
});
