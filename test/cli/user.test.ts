import { expect, test } from 'vitest';

import { getWorld, joinByService, parley, parleyJson, realm, withProcesses } from '../support/index.ts';

const password = 'a long and lonely newcomer';

test('an account is created with a role, and everyone hears of it', withProcesses, async () => {
  const { realm: home, alice, bob } = await realm();
  const queue = await alice.listen({ event_types: ['realm_user'] });
  const created = await parleyJson(
    ['user', 'create', 'ned@elsewhere.example', '--realm', home.name, '--name', 'Ned', '--role', 'moderator'],
    { stdin: `${password}\n` },
  );
  expect(created).toMatchObject({ email: 'ned@elsewhere.example', full_name: 'Ned', role: 'moderator' });
  expect(await queue.hears()).toMatchObject([{ op: 'add', person: { full_name: 'Ned', role: 300 } }]);
  const login = { username: 'ned@elsewhere.example', password };
  expect(await bob.post('/fetch_api_key', login)).toMatchObject({ result: 'success' });
});

test('an account is refused as the API refuses it', withProcesses, async () => {
  const { realm: home, alice } = await realm();
  const create = (...args: string[]) =>
    parley(['user', 'create', ...args, '--realm', home.name], { stdin: `${password}\n` });
  expect(await create(alice.email)).toMatchObject({ code: 1, stderr: expect.stringContaining('already') });
  expect(await create('nobody')).toMatchObject({ code: 1 });
  expect(await create('ned@elsewhere.example', '--role', 'king')).toMatchObject({ code: 2 });
  const lost = await parley(['user', 'create', 'a@b.example', '--realm', 'nowhere'], { stdin: 'x' });
  expect(lost).toMatchObject({ code: 1, stderr: expect.stringContaining('parley realm list') });
});

test('a role changes, and the only owner stays one', withProcesses, async () => {
  const { realm: home, alice, bob, owner } = await realm();
  const queue = await bob.listen({ event_types: ['realm_user'] });
  const role = (email: string, name: string) => parley(['user', 'role', email, name, '--realm', home.name]);
  expect(await role(alice.email, 'administrator')).toMatchObject({ code: 0 });
  expect(await queue.hears()).toMatchObject([{ op: 'update', person: { user_id: alice.id, role: 200 } }]);
  expect((await alice.get('/users/me')).role).toBe(200);
  expect(await role(owner.email, 'member')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('at least one owner'),
  });
  expect(await role(alice.email, 'king')).toMatchObject({ code: 2 });
});

test('a password is another from now on, and never shown', withProcesses, async () => {
  const { realm: home, join } = await realm();
  const ned = await join({ name: 'Ned', password: 'the first of two passwords' });
  const change = (stdin: string) => parley(['user', 'password', ned.email, '--realm', home.name], { stdin });
  expect(await change('short\n')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('too easy to guess'),
  });
  const done = await change(`${password}\nanother line\n`);
  expect(done.code).toBe(0);
  expect(done.stdout + done.stderr).not.toContain(password);
  const logIn = (typed: string) => ned.post('/fetch_api_key', { username: ned.email, password: typed });
  expect(await logIn('the first of two passwords')).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
  expect(await logIn(password)).toMatchObject({ result: 'success' });
  // The key that the account had is still its own.
  expect(await ned.get('/users/me')).toMatchObject({ result: 'success' });
});

test('a right is granted and revoked', withProcesses, async () => {
  const { realm: home, admin } = await realm();
  const account = (name: string) => ({ email: `${name}@x.example`, full_name: name, password });
  const change = (verb: string, right: string) =>
    parley(['user', verb, admin.email, right, '--realm', home.name]);
  expect(await admin.post('/users', account('one'))).toMatchObject({ code: 'BAD_REQUEST' });
  expect(await change('grant', 'can_create_users')).toMatchObject({ code: 0 });
  expect(await admin.post('/users', account('two'))).toMatchObject({ result: 'success' });
  expect(await change('revoke', 'can_create_users')).toMatchObject({ code: 0 });
  expect(await admin.post('/users', account('three'))).toMatchObject({ code: 'BAD_REQUEST' });
  expect(await change('grant', 'can_fly')).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('can_forge_sender'),
  });
});

test('an account is let go by whom it belongs to at a provider', withProcesses, async () => {
  const { realm: home, alice } = await realm();
  await joinByService(
    home,
    { email: alice.email, fullName: '' },
    { issuer: 'https://a.example', subject: 'one' },
  );
  const unlink = () => parleyJson(['user', 'unlink', alice.email, '--realm', home.name]);
  expect(await unlink()).toEqual({ user_id: alice.id, email: alice.email, unlinked: 1 });
  expect(await unlink()).toMatchObject({ unlinked: 0 });
});

test('a migration writes the digests of keys that SQL cannot compute', withProcesses, async () => {
  const { alice } = await realm();
  const { sql } = await getWorld();
  expect(await parleyJson(['migrate'])).toEqual({ migrated: true });
  const unfilled = await sql`
    select id from users where key_digests_generation is distinct from key_generation`;
  expect(unfilled).toEqual([]);
  expect(await alice.get('/users/me')).toMatchObject({ result: 'success' });
});
