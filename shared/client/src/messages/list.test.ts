import { describe, expect, test } from 'vitest';

import { emptyState, messageOf } from '../state/state.test-support.ts';
import { createEviction } from './eviction.ts';
import type { Page } from './history.ts';
import { consider, extend, noStretch, trim } from './list.ts';

const range = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => from + index);

const pageOf = (ids: number[], ends: Partial<Page> = {}): Page => ({
  messages: ids.map((id) => messageOf(id)),
  matches: new Map(),
  corrections: {},
  anchor: null,
  foundOldest: false,
  foundNewest: false,
  meanwhile: new Set(),
  ...ends,
});

const narrow = [{ operator: 'channel', operand: 1 }];

/** A stretch of messages 10 to 19, and a state that has them. */
function stretchOf(ends: Partial<Page>) {
  const stretch = noStretch();
  extend(stretch, pageOf(range(10, 20), ends), 'all');
  const state = emptyState();
  for (const id of stretch.ids) state.messages.set(id, messageOf(id));
  return { stretch, state };
}

describe('a stretch', () => {
  test('is continued by what is new only where it ends with the newest', () => {
    for (const foundNewest of [true, false]) {
      const { stretch, state } = stretchOf({ foundNewest });
      state.messages.set(30, messageOf(30));
      expect(consider(stretch, narrow, 30, state)).toBe(foundNewest ? 'changed' : 'same');
      expect(stretch.ids.at(-1)).toBe(foundNewest ? 30 : 19);
    }
  });

  test('includes what comes into its middle, and nothing beyond its ends', () => {
    const { stretch, state } = stretchOf({});
    consider(stretch, narrow, 12, { ...state, messages: new Map() });
    expect(stretch.ids).not.toContain(12);
    expect(consider(stretch, narrow, 12, state)).toBe('changed');
    state.messages.set(9, messageOf(9));
    expect(consider(stretch, narrow, 9, state)).toBe('same');
    expect(stretch.ids).toEqual(range(10, 20));
  });

  test('loses what does not match any more', () => {
    const { stretch, state } = stretchOf({});
    state.messages.set(12, messageOf(12, { channel: 2 }));
    expect(consider(stretch, narrow, 12, state)).toBe('changed');
    expect(stretch.ids).not.toContain(12);
  });

  test('asks what only the server can decide', () => {
    const { stretch, state } = stretchOf({ foundNewest: true });
    state.messages.set(30, messageOf(30));
    const search = [...narrow, { operator: 'search', operand: 'x' }];
    expect(consider(stretch, search, 30, state)).toBe('ask');
    expect(consider(stretch, [{ operator: 'channel', operand: 'c' }], 30, state)).toBe('ask');
  });

  test('is joined by pages, also if one overlaps', () => {
    const { stretch } = stretchOf({ foundNewest: true });
    extend(stretch, pageOf(range(5, 11), { foundOldest: true }), 'older');
    expect(stretch).toMatchObject({ ids: range(5, 20), hasOldest: true, hasNewest: true });
  });

  test('is trimmed at the end that is far from the reader', () => {
    const near = (readerAt: number | null) => {
      const { stretch } = stretchOf({ foundNewest: true, foundOldest: true });
      trim(stretch, 4, readerAt);
      return [stretch.ids, stretch.hasOldest, stretch.hasNewest];
    };
    expect(near(10)).toEqual([range(10, 14), true, false]);
    expect(near(19)).toEqual([range(16, 20), false, true]);
    expect(near(null)).toEqual([range(16, 20), false, true]);
  });
});

test('the last messages in no list are kept', () => {
  const state = emptyState();
  const listed = range(0, 500);
  const evict = createEviction(() => [listed]);
  for (const id of range(0, 10_000)) {
    state.messages.set(id, messageOf(id));
    evict(state);
  }
  expect(state.messages.size).toBeLessThan(5000);
  expect(listed.every((id) => state.messages.has(id))).toBe(true);
  expect(state.messages.has(9999)).toBe(true);
});
