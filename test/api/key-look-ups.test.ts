import { randomBytes, randomUUID } from 'node:crypto';

import * as actions from '@parley/actions';
import { createKeyDigests, deriveApiKey } from '@parley/http';
import { expect, test } from 'vitest';

import {
  type Json,
  type Person,
  basic,
  call,
  countQueries,
  encode,
  getWorld,
  realm,
  runRecurring,
  succeed,
  sweptAlone,
} from '../support/index.ts';

const wrongKey = () => randomBytes(16).toString('hex');
const wrongSession = () => `sessionid=1.${randomBytes(32).toString('base64url')}`;

interface Request {
  method?: string;
  path: string;
  headers?: Record<string, string>;
  params?: Json;
}

const withKey = (path: string) => ({ path: `${path}?api_key=${wrongKey()}` });
const withHeader = (path: string, email = 'alice@example.com') => ({
  path,
  headers: { Authorization: basic(email, wrongKey()) },
});

/** Every way to present something by which an account, or what it may do, is found. */
const carriers: Record<string, () => Request> = {
  'a key in the URL of an integration': () => ({ ...withKey('/api/v1/external/github'), method: 'POST' }),
  'a key in the URL of a file': () => withKey('/user_uploads/1/2/3/a.txt'),
  'a key in the URL of a thumbnail': () => withKey('/user_uploads/thumbnail/1/2/3/a.png/840x560.webp'),
  'a key in the URL of an avatar': () => withKey('/avatar/1'),
  'a text in a URL that is no key': () => ({ path: '/avatar/1?api_key=%00' }),
  'a key in a header': () => withHeader('/api/v1/users/me'),
  'a key in a header for a file': () => withHeader('/user_uploads/1/2/3/a.txt'),
  'a key in a header for an upload in pieces': () => ({ ...withHeader('/api/v1/tus/x'), method: 'HEAD' }),
  'a header without a key': () => ({ path: '/api/v1/users/me', headers: { Authorization: basic('a', 'b') } }),
  'a session': () => ({ path: '/json/users/me', headers: { Cookie: wrongSession() } }),
  'a session for a file': () => ({ path: '/avatar/1', headers: { Cookie: wrongSession() } }),
  'a JSON web token': () => ({
    path: '/api/v1/jwt/fetch_api_key',
    method: 'POST',
    params: { token: 'x.y.z' },
  }),
  'the link of a file': () => ({ path: `/user_uploads/temporary/1.${wrongKey()}/1/2/3/a.txt` }),
  'the link that ends mails': () => ({ path: `/unsubscribe/${wrongKey()}` }),
  'the link of an invitation': () => ({ path: `/join/${wrongKey()}/` }),
  'the link that confirms an address': () => ({ path: `/accounts/confirm_new_email/${wrongKey()}` }),
  'a password': () => ({
    path: '/api/v1/fetch_api_key',
    method: 'POST',
    params: { username: `${randomUUID()}@example.com`, password: 'guessed' },
  }),
};

/** Accounts as bulk imports make them. */
async function addAccounts({ id }: { id: number }, count: number, keys: 'known' | 'unknown') {
  const { sql, secret } = await getWorld();
  await sql`
    insert into users (realm_id, email, full_name, role)
    select ${id}, 'crowd' || n || '@crowd.example', 'Crowd ' || n, 400 from generate_series(1, ${count}::int) n`;
  const digests = createKeyDigests([secret]);
  if (keys === 'known') while ((await actions.users.fillKeyDigests(sql, digests, id)) > 0);
}

async function countedNode() {
  const { databaseUrl, startApi } = await getWorld();
  const counter = await countQueries(databaseUrl);
  const api = await startApi({ databaseUrl: counter.url, databaseConnections: 1 });
  /** What a request costs at least: what a node asks now and then by itself may come between, on a busy machine often. */
  async function costOf({ realm: { host } }: Person, carrier: () => Request) {
    const costs: { queries: number; bytes: number }[] = [];
    for (let time = 0; time < 10; time += 1) {
      const { method = 'GET', path, headers = {}, params } = carrier();
      const form = { 'Content-Type': 'application/x-www-form-urlencoded' };
      counter.take();
      const reply = await call({
        port: api.port,
        method,
        path,
        headers: { Host: host, ...headers, ...(params && form) },
        ...(params && { body: encode(params) }),
      });
      expect(reply.status, reply.text).toBeGreaterThanOrEqual(400);
      expect(reply.status, reply.text).toBeLessThan(500);
      costs.push(counter.take());
    }
    const least = (of: 'queries' | 'bytes') => Math.min(...costs.map((cost) => cost[of]));
    return { queries: least('queries'), bytes: least('bytes') };
  }
  return {
    port: api.port,
    costOf,
    async [Symbol.asyncDispose]() {
      await api[Symbol.asyncDispose]();
      await counter[Symbol.asyncDispose]();
    },
  };
}

test('whatever is refused costs one look-up at most, however many accounts there are', async () => {
  const { alice: few } = await realm();
  const { alice: many } = await realm();
  await addAccounts(few.realm, 0, 'known');
  await addAccounts(many.realm, 3000, 'known');
  await using node = await countedNode();
  // The realms are remembered, and statements are prepared.
  for (const person of [few, many]) await node.costOf(person, () => withKey('/avatar/1'));
  for (const [name, carrier] of Object.entries(carriers)) {
    await node.costOf(few, carrier);
    const [cost, costAmongMany] = [await node.costOf(few, carrier), await node.costOf(many, carrier)];
    expect(costAmongMany.queries, name).toBe(cost.queries);
    // What is read of a realm differs by the length of its name.
    expect(costAmongMany.bytes, name).toBeLessThan(cost.bytes + 50);
    // A snapshot of two reads begins and ends.
    const most = name === 'a password' ? 4 : 1;
    expect(cost.queries, name).toBeLessThanOrEqual(most);
  }
});

/** Whether a key in a URL opens anything. */
async function statusOf(person: Person, apiKey: string, port?: number): Promise<number> {
  const differing = { authorization: null, ...(port !== undefined && { port }) };
  return (await person.fetch(`/avatar/${person.id}?api_key=${apiKey}`, {}, differing)).status;
}

const found = 302;

test('a key is found as soon as it is made, also by a node that knows nothing of digests', async () => {
  const { owner, alice } = await realm();
  const { sql, secret } = await getWorld();
  expect(await statusOf(alice, alice.apiKey)).toBe(found);
  const { api_key: second } = await succeed(alice.post('/users/me/api_key/regenerate'));
  expect(await statusOf(alice, alice.apiKey)).toBe(401);
  expect(await statusOf(alice, second)).toBe(found);

  await sql`update users set key_generation = key_generation + 1 where id = ${alice.id}`;
  const [row] = await sql<{ generation: number }[]>`
    select key_generation as generation from users where id = ${alice.id}`;
  const third = deriveApiKey(secret, alice.id, row?.generation ?? 0);
  expect(await statusOf(alice, second), 'by a digest that is still there').toBe(401);
  expect(await statusOf(alice, third)).toBe(found);
  const digests = await sql`select key_digests as digests from users where id = ${alice.id}`;
  expect(digests).toEqual([{ digests: createKeyDigests([secret]).ofKey(third) }]);
  expect(await statusOf(owner, owner.apiKey)).toBe(found);
});

test('a digest opens nothing by itself', async () => {
  const { alice, bob } = await realm();
  const { sql, secret } = await getWorld();
  expect(await statusOf(alice, alice.apiKey)).toBe(found);
  const key = 'a'.repeat(32);
  await sql`update users set key_digests = ${createKeyDigests([secret]).ofKey(key)} where id = ${alice.id}`;
  expect(await statusOf(alice, key)).toBe(401);
  await sql`update users set key_digests = ${createKeyDigests([secret]).ofKey(bob.apiKey)} where id = ${alice.id}`;
  expect(await statusOf(bob, bob.apiKey), 'his own account').toBe(found);
});

test('while many digests are unknown, a key that is not found yet is to be tried again, and is no wrong one', async () => {
  const { alice } = await realm();
  const { startApi } = await getWorld();
  await addAccounts(alice.realm, 500, 'unknown');
  const limits = { wrongKeys: [{ seconds: 60, count: 2 }] };
  await using node = await startApi({ limits, addressOf: () => alice.realm.name });
  const statuses = [];
  for (let time = 0; time < 5; time += 1) statuses.push(await statusOf(alice, wrongKey(), node.port));
  // 508 accounts, of which each request fills in 200.
  expect(statuses).toEqual([503, 503, 401, 401, 429]);
});

test('a job writes the digests that are unknown, of the organizations that a server holds', async () => {
  const { alice } = await realm();
  const { sql } = await getWorld();
  const other = (await realm()).realm;
  for (const one of [alice.realm, other]) await addAccounts(one, 500, 'unknown');
  const countUnfilled = async ({ id }: { id: number }) =>
    (
      await sql`
        select id from users where realm_id = ${id} and key_digests_generation is distinct from key_generation`
    ).length;
  const before = await countUnfilled(other);
  expect(before).toBeGreaterThanOrEqual(500);
  await runRecurring('fill-key-digests', await sweptAlone(alice.realm.id));
  expect([await countUnfilled(alice.realm), await countUnfilled(other)]).toEqual([0, before]);
  await runRecurring('fill-key-digests');
  expect(await countUnfilled(other)).toBe(0);
  expect(await statusOf(alice, wrongKey())).toBe(401);
  expect(await statusOf(alice, alice.apiKey)).toBe(found);
});
