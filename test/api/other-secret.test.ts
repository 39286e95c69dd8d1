import * as actions from '@parley/actions';
import { createKeyDigests, deriveApiKey } from '@parley/http';
import type { Secrets } from '@parley/kit';
import * as model from '@parley/model';
import { createSigner } from '@parley/redis';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';

import { type Person, getWorld, openBrowser, realm, scrape, succeed } from '../support/index.ts';
import { startProvider } from './sign-in/provider.ts';

const next = 'the secret of tomorrow, which has 32 characters and more';
const open: AsyncDisposable[] = [];
/** The ports of an API node and a queue node in each state of the change, in its order. */
let states: Record<'before' | 'prepared' | 'changed' | 'after', { api: number; queue: number }>;

beforeAll(async () => {
  const world = await getWorld();
  const { secret } = world;
  const start = async (secrets: Secrets) => {
    const [api, queue] = [await world.startApi({ secrets }), await world.startQueue({ secrets })];
    open.push(api, queue);
    return { api: api.port, queue: queue.port };
  };
  states = {
    before: await start([secret]),
    prepared: await start([secret, next]),
    changed: await start([next, secret]),
    after: await start([next]),
  };
});

// Queue nodes hear ephemeral events of all realms in their Redis, in which other files have theirs, under the secret of before.
afterEach(async () => {
  const { bugs, sql } = await getWorld();
  const own = new Set((await sql<{ id: number }[]>`select id from realms`).map(({ id }) => id));
  const isOfOthers = (bug: string) => {
    const [, id] = /realmId: (\d+) \}, 'an ephemeral event has no valid signature'/.exec(bug) ?? [];
    return id !== undefined && !own.has(Number(id));
  };
  bugs.splice(0, bugs.length, ...bugs.filter((bug) => !isOfOthers(bug)));
});

afterAll(async () => {
  for (const node of open) await node[Symbol.asyncDispose]();
});

const keyUnder = (secret: string, { id }: Person) => deriveApiKey(secret, id, 1);

async function statusOf(person: Person, { api }: { api: number }): Promise<number> {
  return (await person.ask('GET', '/users/me', {}, { port: api })).status;
}

async function statusInUrl(person: Person, { api }: { api: number }): Promise<number> {
  const differing = { authorization: null, port: api };
  return (await person.fetch(`/avatar/${person.id}?api_key=${person.apiKey}`, {}, differing)).status;
}

test('while the secret is being changed, accounts have two keys, and each node takes both', async () => {
  const { alice: old } = await realm();
  const young = old.withKey(keyUnder(next, old));
  const { before, prepared, changed, after } = states;
  expect([await statusOf(old, before), await statusOf(young, before)]).toEqual([200, 401]);
  for (const nodes of [prepared, changed])
    expect([await statusOf(old, nodes), await statusOf(young, nodes)]).toEqual([200, 200]);
  expect([await statusOf(old, after), await statusOf(young, after)]).toEqual([401, 200]);
});

test('a key without an address is found by both secrets, also while the digests are of one', async () => {
  const { alice: old } = await realm();
  const young = old.withKey(keyUnder(next, old));
  const { before, prepared, changed, after } = states;
  expect([await statusInUrl(old, before), await statusInUrl(young, before)]).toEqual([302, 401]);
  const order = [prepared, changed, before, changed, after, prepared];
  const found = [];
  for (const nodes of order) found.push([await statusInUrl(old, nodes), await statusInUrl(young, nodes)]);
  const expected = { both: [302, 302], old: [302, 401], young: [401, 302] };
  const { both } = expected;
  expect(found).toEqual([both, both, expected.old, both, expected.young, both]);
});

test('digests are filled for other secrets, once, and in the order of neither', async () => {
  const { alice } = await realm();
  const { sql, secret } = await getWorld();
  const [one, other] = [createKeyDigests([secret, next]), createKeyDigests([next, secret])];
  const fill = async (digests: typeof one) => {
    let filled = 0;
    for (let count = 1; count > 0; filled += count)
      count = await actions.users.fillKeyDigests(sql, digests, alice.realm.id);
    return filled;
  };
  await fill(createKeyDigests([secret]));
  expect(await fill(createKeyDigests([secret]))).toBe(0);
  const [{ accounts } = { accounts: 0 }] = await sql<{ accounts: number }[]>`
    select count(*)::int as accounts from users where realm_id = ${alice.realm.id}`;
  expect(await fill(one)).toBe(accounts);
  expect(await fill(other)).toBe(0);
  expect(await fill(createKeyDigests([next]))).toBe(accounts);
});

test('the key that an account is given is of the secret that comes first', async () => {
  const { join } = await realm();
  const password = 'correct horse battery staple';
  const dora = await join({ name: 'Dora', password });
  const { secret } = await getWorld();
  for (const [nodes, expected] of [
    [states.prepared, secret],
    [states.changed, next],
  ] as const) {
    const params = { username: dora.email, password };
    const differing = { authorization: null, port: nodes.api };
    const given = await dora.ask('POST', '/fetch_api_key', params, differing);
    expect(given.body).toMatchObject({ api_key: keyUnder(expected, dora) });
  }
  const replaced = await dora.ask('POST', '/users/me/api_key/regenerate', {}, { port: states.changed.api });
  const replacement = dora.withKey(String(replaced.body['api_key']));
  expect(await statusOf(dora, states.changed)).toBe(401);
  expect(await statusOf(replacement, states.changed)).toBe(200);
  expect(await statusOf(replacement, states.after)).toBe(200);
});

/** Listens by one node for what is sent by another one of a neighbouring state, with an account's key of either secret. */
async function hears(listener: Person, sender: Person, secrets: { of: Secrets; sentBy: Secrets }) {
  const world = await getWorld();
  await using queueNode = await world.startQueue({ secrets: secrets.of });
  await using sending = await world.startApi({ secrets: secrets.sentBy });
  const params = { event_types: ['message'] };
  const queue = (await listener.ask('POST', '/register', params, { port: sending.port })).body;
  const poll = { queue_id: queue['queue_id'], last_event_id: queue['last_event_id'] };
  const waiting = listener.ask('GET', '/events', poll, { port: queueNode.port });
  const message = { type: 'private', to: [listener.id], content: 'heard' };
  await sender.ask('POST', '/messages', message, { port: sending.port });
  return (await waiting).body;
}

test('nodes of neighbouring states hear each other', async () => {
  const { alice, bob } = await realm();
  const { secret } = await getWorld();
  const young = (person: Person) => person.withKey(keyUnder(next, person));
  const heard = { events: [{ type: 'message', message: { content: 'heard' } }] };
  const before = [secret] as const;
  const prepared = [secret, next] as const;
  const changed = [next, secret] as const;
  const after = [next] as const;
  const pairs = [
    [alice, bob, before, prepared],
    [alice, bob, prepared, before],
    [young(alice), bob, prepared, changed],
    [alice, young(bob), changed, prepared],
    [young(alice), young(bob), changed, after],
    [young(alice), young(bob), after, changed],
  ] as const;
  // A node logs an error for what it does not believe.
  for (const [listener, sender, of, sentBy] of pairs)
    expect(await hears(listener, sender, { of, sentBy })).toMatchObject(heard);
});

test('a browser is given the token of the new secret, and stays signed in', async () => {
  const { join } = await realm();
  const password = 'correct horse battery staple';
  const dora = await join({ name: 'Dora', password });
  const browse = (nodes: { api: number }) => openBrowser(dora.realm, { port: nodes.api });
  const [before, changed, after] = [browse(states.before), browse(states.changed), browse(states.after)];
  const signedIn = await before.ask('POST', '/login/', { username: dora.email, password });
  expect(signedIn.status).toBeLessThan(400);
  const move = (from: typeof before, to: typeof before) => {
    for (const [name, value] of from.cookies) to.cookies.set(name, value);
  };
  move(before, after);
  const status = async (browser: typeof before) =>
    (await browser.ask('POST', '/json/users/me/status', { status_text: 'here' })).status;
  expect(await status(after), 'who was not there meanwhile signs in again').toBe(403);
  move(before, changed);
  expect(await status(changed)).toBe(200);
  move(changed, after);
  expect(changed.cookies.get('csrftoken')).not.toBe(before.cookies.get('csrftoken'));
  expect(await status(after)).toBe(200);
});

test('signing in at a provider goes on at a node with the other order', async () => {
  const home = await realm();
  const callback = `${home.realm.url}/accounts/login/oidc/callback`;
  const provider = await startProvider([callback], {
    ann: { email: 'ann@new.example', email_verified: true },
  });
  await home.join({ name: 'Ann', email: 'ann@new.example' });
  const { secret, startApi, signIn } = await getWorld();
  const { issuer, clientId, clientSecret } = provider;
  const oidc = { issuer, clientId, clientSecret, name: 'The Provider' };
  const start = async (secrets: Secrets) => {
    const node = await startApi({ secrets, signIn: { ...signIn, oidc } });
    open.push(node);
    return node;
  };
  const [old, changed, after] = [await start([secret]), await start([next, secret]), await start([next])];
  open.push(provider);
  const headers = { Accept: 'text/html' };
  for (const [node, location] of [
    [changed, `${home.realm.url}/`],
    [after, undefined],
  ] as const) {
    const away = openBrowser(home.realm, { port: old.port });
    const begun = await away.ask('GET', '/accounts/login/oidc', {}, headers);
    const { pathname, search } = new URL(
      await provider.visit(begun.headers['location']?.toString() ?? '', 'ann'),
    );
    const back = openBrowser(home.realm, { port: node.port });
    for (const [name, value] of away.cookies) back.cookies.set(name, value);
    const reply = await back.ask('GET', `${pathname}${search}`, {}, headers);
    expect(reply.headers['location']).toBe(location);
  }
});

test('links that the other secret signed go on', async () => {
  const { secret } = await getWorld();
  const account = { id: 7, realmId: 1, email: 'a@b.example', passwordHash: null, keyGeneration: 1 };
  const made = {
    invitation: model.invitations.invitationKey(secret, 7),
    emailChange: model.emailChanges.emailChangeKey(secret, 7),
    unsubscription:
      /(\d+\.[\w-]+)\/$/.exec(model.notifications.unsubscribeUrl(secret, { url: '' }, 7))?.[1] ?? '',
    passwordReset: model.users.passwordResetKey(secret, account, 1e12),
  };
  const read = (secrets: Secrets) => ({
    invitation: model.invitations.readInvitationKey(secrets, made.invitation) === 7,
    emailChange: model.emailChanges.readEmailChangeKey(secrets, made.emailChange) === 7,
    unsubscription: model.notifications.readUnsubscribeKey(secrets, made.unsubscription) === 7,
    passwordReset: model.users.isPasswordResetKeyOf(secrets, made.passwordReset, account),
  });
  const all = (is: boolean) => Object.fromEntries(Object.keys(made).map((name) => [name, is]));
  expect(read([next, secret])).toEqual(all(true));
  expect(read([next])).toEqual(all(false));
});

test('what a node signs for Redis is believed by nodes that know its secret, as their first or their other one', () => {
  const signed = createSigner(['a secret', 'another']).sign('x', 'text');
  const read = (secrets: Secrets) => createSigner(secrets).verify('x', signed);
  expect([read(['a secret']), read(['another', 'a secret']), read(['another'])]).toEqual([
    'text',
    'text',
    null,
  ]);
});

test('a key of the other secret is counted, so that operators know when it may go', async () => {
  const { alice: old, owner } = await realm();
  const counted = async () => (await scrape()).of('parley_other_secret_keys_total', {});
  const start = await counted();
  await succeed(owner.get('/users/me'));
  expect(await counted()).toBe(start);
  await statusOf(old, states.changed);
  expect(await counted()).toBe(start + 1);
});
