import { expect, test } from 'vitest';

import { getWorld, makeImport, realm, succeed } from '../../support/index.ts';

test('a plan that a worker of an earlier version made is shown in English, and can be confirmed', async () => {
  const { owner } = await realm();
  const { sql } = await getWorld();
  const id = await makeImport(owner);
  const old = {
    left_out: [{ kind: 'messages', count: 2, reason: 'it was deleted' }],
    conflicts: ['Two channels are called ops; the second is called ops (2) now.'],
  };
  await sql`
    update archive_imports set plan = plan || ${sql.json(old)} where realm_id = ${owner.realm.id} and id = ${id}`;
  const { plan } = await succeed(owner.get(`/realm/imports/${id}`));
  expect(plan).toMatchObject({ ...old, conflicts: [{ text: old.conflicts[0] }] });
  await succeed(owner.post(`/realm/imports/${id}/confirm`));
});
