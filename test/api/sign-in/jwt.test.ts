import { expect, test } from 'vitest';

import { type Person, getWorld, realm, succeed, tokenFor } from '../../support/index.ts';

const ask = async (by: Person, token: string, more: object = {}) =>
  (await by.ask('POST', '/jwt/fetch_api_key', { token, ...more }, { authorization: null })).body;

test('a token that the organization’s secret signs is worth the key of the account that it names', async () => {
  const { alice, realm: home } = await realm();
  const given = { result: 'success', msg: '', api_key: alice.apiKey, email: alice.email };
  expect(await ask(alice, tokenFor(home, alice.email.toUpperCase()))).toEqual(given);
  const soon = Math.floor(Date.now() / 1000) + 60;
  expect(await ask(alice, tokenFor(home, alice.email, { exp: soon }), { include_profile: true })).toEqual({
    ...given,
    user: expect.objectContaining({ user_id: alice.id, delivery_email: alice.email, profile_data: {} }),
  });
});

test('any other is worth nothing', async () => {
  const { owner, alice, bob, realm: home } = await realm();
  const { realm: elsewhere } = await realm();
  const failed = { code: 'AUTHENTICATION_FAILED' };
  const [header, , signature] = tokenFor(home, alice.email).split('.');
  const unsigned = Buffer.from('{"alg":"none"}').toString('base64url');
  const bobs = tokenFor(home, bob.email).split('.')[1];
  const past = Math.floor(Date.now() / 1000) - 60;
  for (const token of [
    'nonsense',
    tokenFor(elsewhere, alice.email),
    `${header}.${bobs}.${signature}`,
    `${unsigned}.${bobs}.`,
    tokenFor(home, alice.email, { exp: past }),
    tokenFor(home, 'nobody@new.example'),
  ]) {
    expect(await ask(alice, token), token).toMatchObject(failed);
  }
  expect(await ask(alice, tokenFor(home, ''))).toMatchObject({ code: 'BAD_REQUEST' });

  await succeed(owner.delete(`/users/${bob.id}`));
  expect(await ask(alice, tokenFor(home, bob.email))).toMatchObject({ code: 'USER_DEACTIVATED' });
  await succeed(owner.patch('/realm', { authentication_methods: { JWT: false } }));
  expect(await ask(alice, tokenFor(home, alice.email))).toMatchObject(failed);
  await succeed(owner.patch('/realm', { authentication_methods: { JWT: true } }));
  await succeed(owner.post('/realm/deactivate'));
  expect(await ask(alice, tokenFor(home, alice.email))).toMatchObject({ code: 'REALM_DEACTIVATED' });
});

test('a token may hold anything, and gets a documented answer', async () => {
  const { alice, bot, realm: home } = await realm();
  for (const email of ['a\0', '\ud800', 'x'.repeat(3000), 7, null, [alice.email], {}, undefined]) {
    expect(await ask(alice, tokenFor(home, '', { email })), JSON.stringify(email)).toMatchObject({
      code: 'BAD_REQUEST',
    });
  }
  for (const more of [{ exp: 'later' }, { exp: null }, { nbf: {} }, { nbf: 4e9 }, { iat: 'x' }]) {
    expect(await ask(alice, tokenFor(home, alice.email, more)), JSON.stringify(more)).toMatchObject({
      code: 'AUTHENTICATION_FAILED',
    });
  }
  expect(await ask(alice, tokenFor(home, bot.email)), 'a bot').toMatchObject({
    code: 'AUTHENTICATION_FAILED',
  });
});

test('where an audience is named, a token for another one is worth nothing', async () => {
  const { alice, realm: home } = await realm();
  const { startApi, signIn } = await getWorld();
  await using node = await startApi({ signIn: { ...signIn, jwtAudience: 'chat' } });
  const codeFor = async (more: object) => {
    const token = tokenFor(home, alice.email, more);
    const differing = { authorization: null, port: node.port };
    return (await alice.ask('POST', '/jwt/fetch_api_key', { token }, differing)).body.code ?? 'given';
  };
  for (const more of [{}, { aud: 'other' }, { aud: ['other'] }, { aud: 7 }, { aud: null }]) {
    expect(await codeFor(more), JSON.stringify(more)).toBe('AUTHENTICATION_FAILED');
  }
  expect(await codeFor({ aud: 'chat' })).toBe('given');
  expect(await codeFor({ aud: ['other', 'chat'] })).toBe('given');
});
