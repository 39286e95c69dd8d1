import { expect, test } from 'vitest';

import { getWorld, realm } from '../support/index.ts';

test('no audience of a history that is lost has the id of another, though nobody has seen yet that it is lost', async () => {
  const { sql } = await getWorld();
  const { alice } = await realm();
  const subscribe = async (name: string) => {
    await alice.post('/users/me/subscriptions', { subscriptions: [{ name }] });
    const [row] = await sql<{ id: number }[]>`
      select max(id)::float8 as id from audiences where realm_id = ${alice.realm.id}`;
    return row?.id ?? 0;
  };
  const before = await subscribe('before');
  // Another server would not have been asked yet.
  await sql`select setval('skipped_audience_ids', 1)`;
  const first = await subscribe('first');
  expect(first).toBeGreaterThan(before + 1000);
  expect(await subscribe('second')).toBeLessThan(first + 1000);
});
