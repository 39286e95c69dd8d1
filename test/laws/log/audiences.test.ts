import { encodeMembers } from '@parley/db';
import { createAudiences } from '@parley/log';
import fc from 'fast-check';
import { expect, test } from 'vitest';

import { getWorld } from '../../support/index.ts';

/** Stores a set of users. */
async function store(...userIds: number[]): Promise<number> {
  const { sql } = await getWorld();
  const [row] = await sql<{ id: number }[]>`
    insert into audiences (realm_id, members, size)
    values (1, ${encodeMembers(userIds)}, ${userIds.length}) returning id`;
  return Number(row?.id);
}

test('an audience has its members and nobody else', async () => {
  const { sql } = await getWorld();
  const idSet = fc.uniqueArray(fc.integer({ min: 1, max: 40 }), { maxLength: 20 });
  await fc.assert(
    fc.asyncProperty(idSet, async (userIds) => {
      const audiences = createAudiences({ sql });
      const id = await store(...userIds);
      await audiences.load([id]);
      const sorted = [...userIds].sort((a, b) => a - b);
      expect([...audiences.members(id)]).toEqual(sorted);
      expect(audiences.size(id)).toBe(sorted.length);
      const among = Array.from({ length: 42 }, (_, userId) => userId);
      expect(among.filter((userId) => audiences.has(id, userId))).toEqual(sorted);
    }),
    { numRuns: 25 },
  );
});

test('audiences are used when they were loaded, and not before', async () => {
  const { sql } = await getWorld();
  const audiences = createAudiences({ sql });
  const [first, second, third] = [await store(1), await store(1, 2), await store(3)];
  await audiences.load([first, second, first]);
  expect([first, second, third].map((id) => audiences.isLoaded(id))).toEqual([true, true, false]);
  expect(() => audiences.has(third, 3)).toThrow(`Audience ${third} was used before it was loaded.`);
  await audiences.load([first, third]);
  expect([first, second, third].map((id) => audiences.size(id))).toEqual([1, 2, 1]);
});

/** Audiences, and how many ids each statement that reads them has. */
async function countReads() {
  const { sql } = await getWorld();
  const statements: number[] = [];
  // Safe: it is called as a template, and nothing else of it is used.
  const counting = ((...query: [TemplateStringsArray, number[]]) => {
    statements.push(query[1].length);
    return sql(...query);
  }) as unknown as typeof sql;
  return { audiences: createAudiences({ sql: counting }), statements };
}

test('audiences that several need at the same time are read once', async () => {
  const ids = await Promise.all([store(1), store(2), store(3)]);
  const { audiences, statements } = await countReads();
  await Promise.all([audiences.load(ids), audiences.load(ids.slice(1)), audiences.load(ids.toReversed())]);
  expect(statements).toEqual([3]);
  expect(ids.map((id) => [...audiences.members(id)])).toEqual([[1], [2], [3]]);
});

test('many audiences are read in portions', async () => {
  const ids = await Promise.all(Array.from({ length: 120 }, (_, userId) => store(userId)));
  const { audiences, statements } = await countReads();
  await audiences.load(ids);
  expect(statements).toEqual([50, 50, 20]);
  expect(ids.filter((id, userId) => !audiences.has(id, userId))).toEqual([]);
});

test('a read that another server has overtaken leaves nothing in memory', async () => {
  const { sql } = await getWorld();
  const audiences = createAudiences({ sql });
  const id = await store(1);
  const loading = audiences.load([id]);
  // It is under way.
  await Promise.resolve();
  audiences.hear(`${'e'.repeat(36)}another server`);
  await loading;
  expect(audiences.isLoaded(id)).toBe(false);
  await audiences.load([id]);
  expect(audiences.isLoaded(id)).toBe(true);
});

test('the least recently used audiences leave memory for others', async () => {
  const { sql } = await getWorld();
  const audiences = createAudiences({ sql, bytesMax: 1500 });
  const ids = [];
  for (let first = 0; first < 4; first += 1)
    ids.push(await store(...Array.from({ length: 100 }, (_, n) => first * 100 + n)));
  for (const id of ids) await audiences.load([id]);
  expect(ids.map((id) => audiences.isLoaded(id))).toEqual([false, false, true, true]);
  await audiences.load(ids.slice(0, 1));
  expect(ids.map((id) => audiences.isLoaded(id))).toEqual([true, false, false, true]);
});

test('what was read once is not read again', async () => {
  const { sql } = await getWorld();
  const audiences = createAudiences({ sql });
  const id = await store(1, 2);
  await audiences.load([id]);
  await sql`update audiences set members = ${encodeMembers([9])} where id = ${id}`;
  await audiences.load([id]);
  expect([...audiences.members(id)], 'a row never changes but here').toEqual([1, 2]);
});
