import { expect, test } from 'vitest';

import { type Person, getWorld, realm, succeed } from '../../support/index.ts';

const password = 'correct horse battery staple';

const off = { enabled: false, available: true };
const on = { enabled: true, available: true };
const none = { enabled: false, available: false, unavailable_reason: expect.any(String) };

const set = (by: Person, methods: object) => by.patch('/realm', { authentication_methods: methods });

test('a server says which ways to sign in it is set up for', async () => {
  const { alice } = await realm();
  const { realm_authentication_methods: methods } = await alice.post('/register', {
    fetch_event_types: ['realm'],
  });
  expect(methods).toEqual({ Email: on, LDAP: none, 'OpenID Connect': none, JWT: on });
  expect(await alice.get('/server_settings')).toMatchObject({
    authentication_methods: { password: true, email: true, ldap: false, dev: true, 'openid connect': false },
    external_authentication_methods: [],
    email_auth_enabled: true,
    require_email_format_usernames: true,
  });
});

test('an owner switches them off and on, but not all', async () => {
  const { owner, admin, alice, join } = await realm();
  const dora = await join({ name: 'Dora', password });
  const listener = await alice.listen({ event_types: ['realm'] });
  const logIn = async () => {
    const credentials = { username: dora.email, password };
    return (await alice.ask('POST', '/fetch_api_key', credentials, { authorization: null })).body;
  };
  expect(await set(admin, { Email: false })).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
  expect((await set(owner, { Fax: true })).msg).toMatch(/^There is no authentication method 'Fax'/);
  expect(await set(owner, { Email: 'no' })).toMatchObject({ code: 'BAD_REQUEST' });
  expect((await set(owner, { Email: false, JWT: false, LDAP: true })).msg).toBe(
    'Leave at least one authentication method turned on.',
  );
  await succeed(set(owner, { Email: true }));

  await succeed(set(owner, { Email: false }));
  expect(await logIn()).toMatchObject({ code: 'PASSWORD_AUTH_DISABLED' });
  const state = await alice.post('/register', { fetch_event_types: ['realm'] });
  const methods = { Email: off, LDAP: none, 'OpenID Connect': none, JWT: on };
  expect(state).toMatchObject({
    realm_authentication_methods: methods,
    realm_email_auth_enabled: false,
    realm_password_auth_enabled: false,
  });
  expect(await alice.get('/server_settings')).toMatchObject({
    authentication_methods: { password: false, email: false },
    email_auth_enabled: false,
  });
  await succeed(set(owner, { Email: true, JWT: false }));
  expect(await logIn()).toMatchObject({ api_key: dora.apiKey });
  expect(await listener.hears()).toMatchObject([
    { op: 'update_dict', property: 'default', data: { authentication_methods: methods } },
    { data: { authentication_methods: { ...methods, Email: on, JWT: off } } },
  ]);
});

test('a development server lists accounts to log in to, and no other does', async () => {
  const { alice, owner, guest, bot } = await realm();
  const { direct_admins: admins, direct_users: users } = await alice.get('/dev_list_users');
  expect(admins).toContainEqual({ email: owner.email, realm_url: owner.realm.url });
  expect(users).toContainEqual({ email: guest.email, realm_url: guest.realm.url });
  expect([...admins, ...users].map(({ email }) => email)).not.toContain(bot.email);
  await using production = await (await getWorld()).startApi({ isDevelopment: false });
  const { body } = await alice.ask('GET', '/dev_list_users', {}, { port: production.port });
  expect(body).toMatchObject({ code: 'NOT_FOUND' });
});
