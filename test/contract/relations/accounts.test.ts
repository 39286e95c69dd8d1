import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Params,
  type Person,
  basic,
  createGroup,
  letManageAccounts,
  outcomeOf,
  permit,
  realm,
  subscribe,
  succeed,
} from '../../support/index.ts';
import { heardOf, listenWith, stateOf } from './heard.ts';

const password = 'correct horse battery staple';

const logIn = async (asker: Person, params: Params): Promise<Json> =>
  (await asker.ask('POST', '/fetch_api_key', params, { authorization: null })).body;

const profileOf = async (by: Person, of: Person, params: Params = {}): Promise<Json> =>
  (await by.get(`/users/user${of.id}@${of.realm.host}`, params)).user;

const field = async (by: Person, field_type: number): Promise<number> =>
  (await succeed(by.post('/realm/profile_fields', { name: `Field ${field_type}`, field_type }))).id;

describe('4.10 POST /fetch_api_key', () => {
  test('the key that a password is answered with opens that account, and no other address does with it', async () => {
    const { alice, join } = await realm();
    const dora = await join({ name: 'Dora', password });
    const { api_key, email, user_id } = await logIn(alice, { username: dora.email, password });
    expect([email, user_id]).toEqual([dora.email, dora.id]);
    const as = async (address: string) =>
      (await alice.ask('GET', '/users/me', {}, { authorization: basic(address, api_key) })).body;
    expect(await as(dora.email)).toMatchObject({ user_id: dora.id });
    expect(await as(alice.email)).toMatchObject({ result: 'error' });
  });

  test('a wrong password is answered like an address that nobody has', async () => {
    const { alice, join } = await realm();
    const dora = await join({ name: 'Dora', password });
    const wrong = await logIn(alice, { username: dora.email, password: 'wrong' });
    expect(wrong).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    expect(wrong).toEqual(await logIn(alice, { username: 'nobody@example.com', password }));
  });

  test('passwords open no account where the organization takes none', async () => {
    const { alice, owner, join } = await realm();
    const dora = await join({ name: 'Dora', password });
    const authentication_methods = { Email: false, JWT: true };
    await succeed(owner.patch('/realm', { authentication_methods }));
    expect(await logIn(alice, { username: dora.email, password })).toMatchObject({
      code: 'PASSWORD_AUTH_DISABLED',
    });
    const { body } = await alice.ask('GET', '/server_settings', {}, { authorization: null });
    expect(body).toMatchObject({ email_auth_enabled: false, authentication_methods: { password: false } });
  });
});

describe('4.13 PATCH /users/:user_id', () => {
  test('accounts are changed by administrators alone', async () => {
    const { admin, moderator, alice, bob } = await realm();
    const rename = (by: Person, full_name: string) => by.patch(`/users/${bob.id}`, { full_name });
    for (const by of [moderator, alice, bob]) {
      expect((await rename(by, 'Other')).result).toBe('error');
    }
    expect(outcomeOf(await rename(admin, 'Robert'))).toBe('ok');
    expect((await profileOf(alice, bob)).full_name).toBe('Robert');
  });

  test.each([
    ['given', 'alice', 100],
    ['taken', 'owner', 400],
  ] as const)('the role of an owner is not %s by an administrator', async (_, whose, role) => {
    const people = await realm();
    const { admin, bob } = people;
    const before = (await profileOf(bob, people[whose])).role;
    expect((await admin.patch(`/users/${people[whose].id}`, { role })).result).toBe('error');
    expect((await profileOf(bob, people[whose])).role).toBe(before);
  });

  test('an owner stays one while there is no other, and may be unmade by the next one', async () => {
    const { owner, alice } = await realm();
    expect((await owner.patch(`/users/${owner.id}`, { role: 400 })).result).toBe('error');
    await succeed(owner.patch(`/users/${alice.id}`, { role: 100 }));
    expect(outcomeOf(await alice.patch(`/users/${owner.id}`, { role: 400 }))).toBe('ok');
  });

  test.each([
    [100, { is_owner: true, is_admin: true, is_guest: false }],
    [200, { is_owner: false, is_admin: true, is_guest: false }],
    [300, { is_owner: false, is_admin: false, is_guest: false }],
    [600, { is_owner: false, is_admin: false, is_guest: true }],
  ])('an account with the role %i has these marks: %j', async (role, marks) => {
    const { owner, alice, bob } = await realm();
    await succeed(owner.patch(`/users/${alice.id}`, { role }));
    expect(await profileOf(bob, alice)).toMatchObject({ role, ...marks });
  });

  test.each([0, 99, 500, 601])('%i is no role', async (role) => {
    const { owner, alice, bob } = await realm();
    expect(await owner.patch(`/users/${alice.id}`, { role })).toMatchObject({ code: 'BAD_REQUEST' });
    expect((await profileOf(bob, alice)).role).toBe(400);
  });

  test('an address is changed by an owner who holds the permission for it, and by no administrator who does', async () => {
    const { owner, admin, alice, bob } = await realm();
    const change = async (by: Person) =>
      outcomeOf(await by.patch(`/users/${alice.id}`, { new_email: 'new@example.com' }));
    expect(await change(owner)).not.toBe('ok');
    await letManageAccounts(admin);
    expect(await change(admin)).not.toBe('ok');
    await letManageAccounts(owner);
    expect(await change(owner)).toBe('ok');
    expect((await profileOf(bob, alice)).delivery_email).toBe('new@example.com');
  });

  test('a value of a profile is in the profile, and told with HTML where the field has Markdown', async () => {
    const { admin, alice, bob } = await realm();
    const [plain, rich] = [await field(admin, 1), await field(admin, 2)];
    const phone = await listenWith(bob, ['realm_user']);
    const values = [plain, rich].map((id) => ({ id, value: '*v*' }));
    await succeed(admin.patch(`/users/${alice.id}`, { profile_data: values }));
    const html = '<p><em>v</em></p>';
    const asHeard = (await phone.hears()).map(({ person }) => person.custom_profile_field);
    expect(asHeard).toContainEqual({ id: rich, value: '*v*', rendered_value: html });
    const { profile_data } = await profileOf(bob, alice, { include_custom_profile_fields: true });
    expect(profile_data[rich]).toEqual({ value: '*v*', rendered_value: html });
    expect(profile_data[plain].value).toBe('*v*');
  });

  test('a deactivated account is told as inactive, is in no group for its clients, and its key opens nothing', async () => {
    const { admin, alice, bob } = await realm();
    const group = await createGroup(bob, 'group', [alice, bob]);
    const phone = await listenWith(bob, ['realm_user', 'user_group']);
    await succeed(admin.delete(`/users/${alice.id}`));
    expect(await heardOf(phone, 'realm_user')).toMatchObject([
      { op: 'update', person: { user_id: alice.id, is_active: false } },
    ]);
    expect((await alice.get('/users/me')).result).toBe('error');
    expect((await profileOf(bob, alice)).is_active).toBe(false);
    const { realm_user_groups } = await stateOf(bob, 'realm_user_groups');
    expect(realm_user_groups.find(({ id }: Json) => id === group).members).toEqual([bob.id]);
  });

  test('no poll of an account’s queue is answered with events once the account is deactivated', async () => {
    const { admin, alice } = await realm();
    const phone = await alice.listen();
    await succeed(admin.delete(`/users/${alice.id}`));
    const reply = await phone.poll({ dont_block: true });
    expect([reply.result, reply.events]).toEqual(['error', undefined]);
  });

  test('whoever becomes a guest is told that channels without them are gone, and reads nothing there', async () => {
    const { owner, alice, bob } = await realm();
    await subscribe(bob, 'open');
    const phone = await listenWith(alice, ['stream']);
    await succeed(owner.patch(`/users/${alice.id}`, { role: 600 }));
    expect(await phone.hears()).toMatchObject([{ op: 'delete' }]);
    const sent = { type: 'channel', to: 'open', topic: 't', content: 'x' };
    expect((await alice.post('/messages', sent)).result).toBe('error');
  });
});

describe('4.23 GET /users/:email', () => {
  test('a real address finds its account for those who may see the address, the placeholder for everybody', async () => {
    const { admin, alice, bob } = await realm();
    await succeed(alice.patch('/settings', { email_address_visibility: 3 }));
    expect((await bob.get(`/users/${alice.email}`)).result).toBe('error');
    expect((await admin.get(`/users/${alice.email}`)).user.user_id).toBe(alice.id);
    for (const by of [admin, bob]) expect((await profileOf(by, alice)).user_id).toBe(alice.id);
  });

  test('a bot’s address is known to everybody, and it has no profile', async () => {
    const { bob, bot, guest } = await realm();
    const params = { include_custom_profile_fields: true };
    for (const by of [bob, guest]) {
      const user = await profileOf(by, bot, params);
      expect(user).toMatchObject({ is_bot: true, bot_type: 1, delivery_email: bot.email });
      expect(user).not.toHaveProperty('profile_data');
    }
    expect(await profileOf(guest, bob, params)).toMatchObject({ bot_type: null, profile_data: {} });
  });

  test('a profile is shown only where it is asked for', async () => {
    const { alice, bob } = await realm();
    expect(await profileOf(bob, alice)).not.toHaveProperty('profile_data');
    expect(await profileOf(bob, alice, { include_custom_profile_fields: true })).toHaveProperty(
      'profile_data',
    );
  });

  test('a picture that the client can compute is none, unless it does not compute pictures', async () => {
    const { alice, bob } = await realm();
    expect((await profileOf(bob, alice)).avatar_url).toBeNull();
    expect((await profileOf(bob, alice, { client_gravatar: false })).avatar_url).toContain('http');
  });
});

describe('Authentication', () => {
  test('a key is of one organization and opens no account of another', async () => {
    const [{ alice }, elsewhere] = [await realm(), await realm()];
    const { status, body } = await alice.ask('GET', '/users/me', {}, { host: elsewhere.realm.host });
    expect([status, body.result]).toEqual([401, 'error']);
  });

  test('a new key ends the old one, and the queues that were polled with it', async () => {
    const { alice } = await realm();
    const phone = await alice.listen();
    const { api_key } = await succeed(alice.post('/users/me/api_key/regenerate'));
    expect((await alice.get('/users/me')).result).toBe('error');
    expect(await alice.withKey(api_key).get('/users/me')).toMatchObject({ user_id: alice.id });
    expect((await phone.poll({ dont_block: true })).result).toBe('error');
  });

  test('users who may not be seen by a guest are heard of by members alone', async () => {
    const people = await realm();
    const { alice, bob, guest } = people;
    await permit(people, 'can_access_all_users_group', 'role:members');
    const [his, theirs] = [await listenWith(bob, ['realm_user']), await listenWith(guest, ['realm_user'])];
    await succeed(alice.patch('/settings', { full_name: 'Alina' }));
    expect(await his.hears()).toHaveLength(1);
    expect(await theirs.hears()).toEqual([]);
  });

  test.each([
    ['moderator', 'POST', '/export/realm'],
    ['moderator', 'PATCH', '/users/1'],
  ] as const)('a %s is refused %s %s whatever it is asked with', async (who, method, path) => {
    const people = await realm();
    const { body } = await people[who].ask(method, path, { role: 400 });
    expect(body).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
  });
});
