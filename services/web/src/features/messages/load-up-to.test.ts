import { describe, expect, test } from 'vitest';

import { loadUpTo } from './load-up-to.ts';

/** A narrow of messages 1 to `last`, of which a list has loaded the one in the middle; each page has ten. */
function listOf(last: number) {
  const listeners = new Set<() => void>();
  const list = {
    ids: [Math.ceil(last / 2)],
    loading: null as 'older' | 'newer' | null,
    error: null as unknown,
    get hasOldest() {
      return list.ids[0] === 1;
    },
    get hasNewest() {
      return list.ids.at(-1) === last;
    },
    async loadOlder() {
      for (let count = 0; count < 10 && !list.hasOldest; count += 1) list.ids.unshift((list.ids[0] ?? 0) - 1);
      await Promise.resolve();
    },
    async loadNewer() {
      for (let count = 0; count < 10 && !list.hasNewest; count += 1)
        list.ids.push((list.ids.at(-1) ?? 0) + 1);
      await Promise.resolve();
    },
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
  return { list, change: () => [...listeners].forEach((listener) => listener()) };
}

describe('a list that is to be printed', () => {
  test('is loaded around its reader, up to a number of messages', async () => {
    const { list } = listOf(1000);
    await loadUpTo(list, 60);
    expect([list.ids.length, list.ids[0], list.ids.at(-1)]).toEqual([61, 470, 530]);
  });

  test('is loaded from its oldest to its newest message if there are not more', async () => {
    const { list } = listOf(33);
    await loadUpTo(list, 60);
    expect(list.ids).toEqual(Array.from({ length: 33 }, (_, at) => at + 1));
  });

  test('goes on when what others load has come', async () => {
    const { list, change } = listOf(33);
    list.loading = 'older';
    const loaded = loadUpTo(list, 60);
    list.loading = null;
    change();
    await loaded;
    expect(list.ids).toHaveLength(33);
  });

  test('fails as loading fails, and does not ask for ever', async () => {
    const { list } = listOf(33);
    await expect(
      loadUpTo({ ...listOf(33).list, hasOldest: false, error: new Error('away') }, 60),
    ).rejects.toThrow('away');
    const asked: string[] = [];
    const none = async (side: string) => void (await Promise.resolve(asked.push(side)));
    list.loadOlder = async () => await none('older');
    await loadUpTo(list, 60);
    expect(asked).toEqual(['older']);
  });
});
