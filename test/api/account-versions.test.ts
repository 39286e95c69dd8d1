import { expect, test } from 'vitest';

import { type Person, countQueries, getWorld, realm } from '../support/index.ts';

const ping = { status: 'active', ping_only: 'true' };

test('whoever comes again is not read again', async () => {
  const { databaseUrl, startApi } = await getWorld();
  await using counter = await countQueries(databaseUrl);
  await using api = await startApi({ databaseUrl: counter.url, databaseConnections: 1 });
  const { alice, bob } = await realm();
  const costOf = async (person: Person) => {
    counter.take();
    expect((await person.ask('POST', '/users/me/presence', ping, { port: api.port })).status).toBe(200);
    return counter.take();
  };
  // Statements that come again are prepared.
  for (let number = 0; number < 12; number += 1) await costOf(alice);
  const first = await costOf(bob);
  // What a node asks now and then by itself may come between.
  const again = [await costOf(bob), await costOf(bob), await costOf(bob), await costOf(bob)];
  expect(first.bytes).toBeGreaterThan(Math.min(...again.map(({ bytes }) => bytes)) + 400);
});

test('what has changed of an account counts from its next request on', async () => {
  const { owner, admin, alice, bob, carol } = await realm();
  const { sql } = await getWorld();
  const mayAdministrate = async (person: Person) =>
    (await person.ask('PATCH', '/realm', { description: 'ours' })).status;
  for (const person of [admin, alice, bob, carol]) await person.post('/users/me/presence', ping);

  expect(await mayAdministrate(admin)).toBe(200);
  await owner.patch(`/users/${admin.id}`, { role: 400 });
  expect(await mayAdministrate(admin)).toBe(400);
  await owner.patch(`/users/${admin.id}`, { role: 200 });
  expect(await mayAdministrate(admin)).toBe(200);

  await owner.delete(`/users/${alice.id}`);
  expect((await alice.ask('POST', '/users/me/presence', ping)).status).toBe(401);

  const { api_key: key } = await bob.post('/users/me/api_key/regenerate');
  expect((await bob.ask('POST', '/users/me/presence', ping)).status).toBe(401);
  expect((await bob.withKey(String(key)).ask('POST', '/users/me/presence', ping)).status).toBe(200);

  await sql`update realms set is_active = false where id = ${carol.realm.id}`;
  expect((await carol.ask('POST', '/users/me/presence', ping)).status).toBe(401);
});
