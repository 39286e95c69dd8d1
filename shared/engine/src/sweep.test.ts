import { setImmediate } from 'node:timers/promises';

import type { Database, Sql } from '@parley/db';
import { expect, test } from 'vitest';

import { askInPortions } from './sweep.ts';

/** Nobody asks these anything. */
const server = { db: {} as Database, sql: {} as Sql };

const holder = (first: number, count: number) => ({
  realmIds: Array.from({ length: count }, (_, index) => first + index),
  ask: <Result>(work: (at: typeof server) => Promise<Result>) => work(server),
});

test('a sweep names a thousand organizations at a time and answers with what each portion found', async () => {
  const holders = [holder(1, 2500), holder(5001, 3)];
  const found = await askInPortions(holders, async (_, realmIds) => {
    await Promise.resolve();
    return { count: realmIds?.length, first: realmIds?.[0] };
  });
  expect(found).toEqual([
    { count: 1000, first: 1 },
    { count: 1000, first: 1001 },
    { count: 500, first: 2001 },
    { count: 3, first: 5001 },
  ]);
});

test('a sweep asks the other servers about all portions before it fails', async () => {
  const asked: unknown[] = [];
  const away = { ...holder(1, 10), ask: () => Promise.reject(new Error('It is away.')) };
  const sweeping = askInPortions([away, holder(5001, 1500)], async (_, realmIds) => {
    await setImmediate();
    asked.push(realmIds?.length);
  });
  await expect(sweeping).rejects.toThrow('It is away.');
  expect(asked).toEqual([1000, 500]);
});
