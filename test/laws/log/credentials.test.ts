import { findCredentials } from '@parley/log';
import { expect, test } from 'vitest';

import { getWorld, realm, succeed } from '../../support/index.ts';

const hour = 3_600_000;

test('a queue’s owner is found as Postgres has them', async () => {
  const { alice, guest, realm: home } = await realm();
  const { sql } = await getWorld();
  const found = await findCredentials(sql, [alice.id, guest.id, 2_000_000_001]);
  const member = {
    userId: alice.id,
    email: alice.email,
    generation: expect.any(Number),
    isGuest: false,
    realm: home.name,
    sessions: new Map(),
    refusal: null,
  };
  expect([...found]).toEqual(
    expect.arrayContaining([
      [alice.id, member],
      [guest.id, { ...member, userId: guest.id, email: guest.email, isGuest: true }],
    ]),
  );
  expect(found.size, 'who does not exist is left out').toBe(2);
});

test('sessions are found with their ends, but for those of an earlier key', async () => {
  const { alice, bob, realm: home } = await realm();
  const { sql } = await getWorld();
  const endsMs = Math.floor(Date.now() / 1000) * 1000 + hour;
  const [{ generation } = { generation: 0 }] = await sql<{ generation: number }[]>`
    select key_generation as generation from users where id = ${alice.id}`;
  const open = (user: number, hash: string, keyGeneration: number) => sql`
    insert into sessions (realm_id, user_id, token_hash, key_generation, created_at, expires_at)
    values (${home.id}, ${user}, ${hash}, ${keyGeneration}, now(), ${new Date(endsMs)})`;
  await open(alice.id, `first ${alice.id}`, generation);
  await open(alice.id, `second ${alice.id}`, generation);
  await open(alice.id, `past ${alice.id}`, generation + 1);
  const found = await findCredentials(sql, [alice.id, bob.id]);
  expect(found.get(alice.id)?.sessions).toEqual(
    new Map([
      [`first ${alice.id}`, endsMs],
      [`second ${alice.id}`, endsMs],
    ]),
  );
  expect(found.get(bob.id)?.sessions.size).toBe(0);
});

test('an account that is deactivated is refused as such, and every account of a realm that is', async () => {
  const { alice, bob, owner } = await realm();
  const { sql } = await getWorld();
  const refusalOf = async (id: number) => {
    const refusal = (await findCredentials(sql, [id])).get(id)?.refusal;
    return refusal && [refusal.code, refusal.message];
  };
  await succeed(owner.delete(`/users/${alice.id}`));
  expect(await refusalOf(alice.id)).toEqual(['UNAUTHORIZED', 'This account is deactivated.']);
  expect(await refusalOf(bob.id)).toBeNull();
  await succeed(owner.post('/realm/deactivate'));
  for (const { id } of [alice, bob]) {
    expect(await refusalOf(id)).toEqual(['UNAUTHORIZED', 'This organization has been deactivated.']);
  }
});
