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

test('what was read once is not read again', async () => {
  const { sql } = await getWorld();
  const audiences = createAudiences({ sql });
  const id = await store(1, 2);
  await audiences.load([id]);
  await sql`update audiences set members = ${encodeMembers([9])} where id = ${id}`;
  await audiences.load([id]);
  expect([...audiences.members(id)], 'a row never changes but here').toEqual([1, 2]);
});
