import { randomBytes } from 'node:crypto';

import { afterEach, expect, test } from 'vitest';

import { type Browser, getWorld, openBrowser, realm, succeed } from '../../support/index.ts';
import { startProvider } from './provider.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one[Symbol.asyncDispose]();
});

const people = {
  ann: { email: 'ann@new.example', email_verified: true, name: 'Ann' },
  ben: { email: 'ben@new.example', email_verified: false, name: 'Ben' },
  cy: { email: 'cy@new.example', email_verified: true, name: 'Cy' },
  mute: {},
};

/** An organization whose server is set up for a provider. */
async function start() {
  const home = await realm();
  const callback = `${home.realm.url}/accounts/login/oidc/callback`;
  const provider = await startProvider([callback], people);
  const { issuer, clientId, clientSecret } = provider;
  const { startApi, signIn } = await getWorld();
  const oidc = { issuer, clientId, clientSecret, name: 'The Provider' };
  const node = await startApi({ signIn: { ...signIn, oidc } });
  open.push(provider, node);

  const browse = () => openBrowser(home.realm, { port: node.port });
  const begin = async (browser: Browser, more = {}) => {
    const reply = await browser.ask('GET', '/accounts/login/oidc', more, { Accept: 'text/html' });
    return { status: reply.status, location: reply.headers['location']?.toString() ?? '', text: reply.text };
  };
  const comeBack = async (browser: Browser, url: string) => {
    const { pathname, search } = new URL(url);
    return await browser.ask('GET', `${pathname}${search}`, {}, { Accept: 'text/html' });
  };
  /** All of it, as somebody whom the provider knows. */
  async function signInAs(account: string, browser = browse(), more = {}) {
    const { location } = await begin(browser, more);
    return await comeBack(browser, await provider.visit(location, account));
  }
  return { ...home, node, provider, browse, begin, comeBack, signInAs };
}

test('a user whom the provider knows gets a session', async () => {
  const { alice, node, join, browse, signInAs, begin } = await start();
  const ann = await join({ name: 'Ann', email: 'ANN@new.example' });
  const settings = (await alice.ask('GET', '/server_settings', {}, { port: node.port })).body;
  expect(settings).toMatchObject({
    authentication_methods: { 'openid connect': true },
    external_authentication_methods: [
      {
        name: 'oidc',
        display_name: 'The Provider',
        display_icon: null,
        login_url: `${alice.realm.url}/accounts/login/oidc`,
        signup_url: `${alice.realm.url}/accounts/login/oidc`,
      },
    ],
  });
  const browser = browse();
  const page = await browser.ask('GET', '/login/', {}, { Accept: 'text/html' });
  expect(page.text).toContain('Log in with The Provider');
  const sent = new URL((await begin(browser)).location);
  expect(Object.fromEntries(sent.searchParams)).toMatchObject({
    response_type: 'code',
    code_challenge_method: 'S256',
    nonce: expect.any(String),
    state: expect.any(String),
  });

  const back = await signInAs('ann', browser);
  expect([back.status, back.headers['location']]).toEqual([302, `${alice.realm.url}/`]);
  expect((await browser.ask('GET', '/json/users/me')).body).toMatchObject({ user_id: ann.id });
});

test('a mobile app gets the key under its one-time pad', async () => {
  const { alice, join, signInAs, begin, browse } = await start();
  const ann = await join({ name: 'Ann', email: 'ann@new.example' });
  const otp = randomBytes(32).toString('hex');
  const back = await signInAs('ann', browse(), { mobile_flow_otp: otp });
  const url = new URL(back.headers['location']?.toString() ?? '');
  expect([back.status, url.protocol, url.host]).toEqual([302, 'zulip:', 'login']);
  const { otp_encrypted_api_key: encrypted = '', ...rest } = Object.fromEntries(url.searchParams);
  expect(rest).toEqual({ email: ann.email, user_id: String(ann.id), realm: alice.realm.url });
  const pad = Buffer.from(otp, 'hex');
  const key = Buffer.from(encrypted, 'hex').map((byte, index) => byte ^ (pad[index] ?? 0));
  expect(Buffer.from(key).toString()).toBe(ann.apiKey);
  expect([back.headers['set-cookie']].flat().join()).not.toContain('sessionid');
  expect((await begin(browse(), { mobile_flow_otp: 'short' })).status).toBe(400);
});

test('an answer counts in the browser that asked, once, and for whoever may come in', async () => {
  const { owner, alice, node, provider, browse, begin, comeBack, signInAs, join } = await start();
  const ann = await join({ name: 'Ann', email: 'ann@new.example' });
  const [mine, other] = [browse(), browse()];
  const { location } = await begin(mine);
  const answer = await provider.visit(location, 'ann');
  expect((await comeBack(other, answer)).status, 'it began nothing').toBe(401);
  await begin(other);
  expect((await comeBack(other, answer)).status, 'it began something else').toBe(401);
  const forged = answer.replace(/code=[^&]+/, 'code=forged');
  expect((await comeBack(mine, forged)).status).toBe(401);
  for (const search of ['', '?error=access_denied', '?code=a&state=b', '?state=%00']) {
    expect((await comeBack(mine, `${alice.realm.url}/accounts/login/oidc/callback${search}`)).status).toBe(
      401,
    );
  }
  expect((await comeBack(mine, answer)).status).toBe(302);
  expect((await comeBack(mine, answer)).status, 'a code is worth something once').toBe(401);

  // An invitation is no use to whoever has not shown that the address is theirs.
  await succeed(alice.post('/invites', { invitee_emails: 'ben@new.example', stream_ids: [] }));
  for (const account of ['ben', 'mute', 'cy']) {
    const { status, text } = await signInAs(account);
    expect([status, text], account).toEqual([401, expect.stringContaining('<p>')]);
  }
  await succeed(alice.post('/invites', { invitee_emails: 'cy@new.example', stream_ids: [] }));
  expect((await signInAs('cy')).status).toBe(302);
  expect(
    (await owner.get('/users')).members.map(({ full_name }: { full_name: string }) => full_name),
  ).toContain('Cy');

  await succeed(owner.delete(`/users/${ann.id}`));
  expect((await signInAs('ann')).text).toContain('This account is deactivated.');
  const methods = { authentication_methods: { 'OpenID Connect': false } };
  await succeed(owner.ask('PATCH', '/realm', methods, { port: node.port }).then(({ body }) => body));
  expect((await begin(browse())).status).toBe(400);
  expect((await comeBack(mine, answer)).status).toBe(400);
});

test('a provider that is away is waited for, and not for long', async () => {
  const { alice, realm: home } = await realm();
  const { startApi, signIn } = await getWorld();
  const oidc = { issuer: 'http://127.0.0.1:1', clientId: 'a', clientSecret: 'b', name: 'Away' };
  const node = await startApi({ signIn: { ...signIn, oidc } });
  const production = await startApi({ signIn: { ...signIn, oidc }, isDevelopment: false });
  open.push(node, production);
  for (const { port } of [node, production]) {
    const reply = await openBrowser(home, { port }).ask('GET', '/accounts/login/oidc');
    expect([401, 503]).toContain(reply.status);
  }
  const { body } = await alice.ask('GET', '/server_settings', {}, { port: node.port });
  expect(body.external_authentication_methods).toHaveLength(1);
});
