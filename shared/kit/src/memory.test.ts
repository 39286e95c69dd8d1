import { describe, expect, test } from 'vitest';

import {
  BoundedCache,
  SmallCache,
  bytesOfData,
  heldMemory,
  memoryBudget,
  memoryShortage,
  mostMemoryMib,
} from './memory.ts';

const mib = 1024 * 1024;

describe('a bounded cache', () => {
  const create = () => new BoundedCache<string, object>('plans', { bytesOf: () => 800, bytesMax: 2500 });

  test('drops what was used longest ago, and shows what it holds', () => {
    const cache = create();
    cache.set('a', {}).set('b', {});
    cache.get('a');
    cache.set('c', {});
    expect(['a', 'b', 'c'].filter((key) => cache.has(key))).toEqual(['a', 'c']);
    expect([...heldMemory()]).toContainEqual({ name: 'plans', bytes: 2002, bytesMax: 2500 });
  });

  test('counts a value that has grown, and drops one that has outgrown it', () => {
    const cache = create();
    const [first, second] = [{}, {}];
    cache.set('a', first).set('b', second);
    cache.recount('b', second, 1600);
    expect([cache.has('a'), cache.bytes]).toEqual([false, 1800]);
    cache.recount('b', second, 5000);
    expect([cache.has('b'), cache.bytes]).toEqual([false, 0]);
  });

  test('counts no value anew that is not there any more', () => {
    const cache = create();
    const before = {};
    cache.set('a', before).set('a', {});
    cache.recount('a', before, 5000);
    expect([cache.has('a'), cache.bytes]).toEqual([true, 1001]);
  });
});

test('data is counted with all that is in it, but for what is shared', () => {
  const shared = { text: 'x'.repeat(1000) };
  const data = { names: ['abc', 'de'], of: new Map([[1, 'x']]), shared, read: () => 1 };
  expect(bytesOfData(data)).toBeGreaterThan(1000);
  expect(bytesOfData(data, (part) => part === shared)).toBeLessThan(500);
});

describe('a node', () => {
  test('is told when its budgets do not fit in its container', () => {
    expect(memoryShortage('queue', {}, 1024 * mib)).toBeNull();
    expect(memoryShortage('queue', {}, 512 * mib)).toMatchObject({ hasMib: 512 });
    expect(memoryShortage('queue', { rings: 600 }, 1024 * mib)).toMatchObject({ hasMib: 1024 });
  });

  test('is told nothing where nothing limits its memory', () => {
    expect(memoryShortage('queue', {}, 0)).toBeNull();
    expect(memoryShortage('queue', {}, 2 ** 64)).toBeNull();
  });

  test('takes a budget of another size into account', () => {
    const rings = memoryBudget('rings') / mib;
    expect(mostMemoryMib('queue', { rings: rings + 10 })).toBe(mostMemoryMib('queue') + 10);
  });
});

describe('a small cache', () => {
  test('drops what was used longest ago', () => {
    const cache = new SmallCache<string, number>(2);
    cache.set('a', 1).set('b', 2);
    cache.get('a');
    cache.set('c', 3);
    expect(['a', 'b', 'c'].filter((key) => cache.has(key))).toEqual(['a', 'c']);
  });

  test('takes no memory for what may come', () => {
    const before = process.memoryUsage().arrayBuffers;
    const caches = [1, 2, 3, 4].map(() => new SmallCache<string, number>(1_000_000, { ttl: 1000 }));
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(mib);
    expect(caches.map(({ size }) => size)).toEqual([0, 0, 0, 0]);
  });
});
