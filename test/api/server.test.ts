import { describe, expect, test } from 'vitest';

import { realm } from '../support/index.ts';

describe('GET /server_settings', () => {
  test('tells anyone what the server is, without credentials', async () => {
    const { alice, realm: home } = await realm();

    const { status, body } = await alice.ask('GET', '/server_settings', {}, { authorization: null });

    expect(status).toBe(200);
    expect(body).toMatchObject({
      svc_feature_level: 421,
      zulip_feature_level: 421,
      realm_name: `The ${home.name}`,
      realm_url: home.url,
      is_incompatible: false,
      authentication_methods: { password: true, email: true, ldap: false },
    });
  });

  test('tells a program that is too old to be served', async () => {
    const { alice } = await realm();
    const { body } = await alice.ask('GET', '/server_settings', {}, { userAgent: 'ZulipInvalid/1.0' });
    expect(body.is_incompatible).toBe(true);
  });

  test('the settings of an organization that does not exist are refused', async () => {
    const { alice } = await realm();
    for (const host of ['nowhere.localhost', 'elsewhere.example']) {
      const { body } = await alice.ask('GET', '/server_settings', {}, { host });
      expect(body.code).toBe('NONEXISTENT_SUBDOMAIN');
    }
  });
});

describe('a server of many organizations, at its bare host', () => {
  test('tells what is the same for all of them', async () => {
    const { alice } = await realm();
    const { body } = await alice.ask('GET', '/server_settings', {}, { host: 'localhost' });
    expect(body).toMatchObject({ result: 'success', svc_feature_level: 421, email_auth_enabled: true });
    expect(Object.keys(body).filter((name) => name.startsWith('realm_'))).toEqual([]);
  });

  test('has nothing else', async () => {
    const { alice } = await realm();
    const { body } = await alice.ask('GET', '/users/me', {}, { host: 'localhost' });
    expect(body.code).toBe('NONEXISTENT_SUBDOMAIN');
  });
});

describe('every address', () => {
  test('answers what it does not serve with a documented error', async () => {
    const { alice } = await realm();
    expect((await alice.ask('GET', '/nothing_here')).body.code).toBe('NOT_FOUND');
    expect((await alice.ask('GET', '/bad%zz')).body).toMatchObject({ code: 'BAD_REQUEST' });
    const wrongMethod = await alice.ask('DELETE', '/messages');
    expect(wrongMethod.status).toBe(405);
    expect(wrongMethod.body.allowed_methods.sort()).toEqual(['GET', 'POST']);
    expect(wrongMethod.headers['allow']).toContain('POST');
  });
});
