import * as actions from '@parley/actions';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { type Person, getWorld, openBrowser, realm, succeed } from '../../support/index.ts';
import { type HostileProvider, type Says, startHostileProvider } from './hostile-provider.ts';

let provider: HostileProvider;
let node: { port: number } & AsyncDisposable;
let trusting: typeof node;

beforeAll(async () => {
  provider = await startHostileProvider();
  const { issuer, clientId, clientSecret } = provider;
  const { startApi, signIn } = await getWorld();
  const oidc = { issuer, clientId, clientSecret, name: 'The Provider' };
  node = await startApi({ signIn: { ...signIn, oidc } });
  trusting = await startApi({ signIn: { ...signIn, oidc: { ...oidc, verifiesEmail: true } } });
});

afterAll(async () => {
  for (const one of [node, trusting, provider]) await one[Symbol.asyncDispose]();
});

/** Who is signed in once the provider has said this of somebody; else the status and the code of the refusal. */
async function signIn(home: Person['realm'], says: Says, { port } = node) {
  const browser = openBrowser(home, { port });
  const begun = await browser.ask('GET', '/accounts/login/oidc');
  const back = new URL(provider.visit(begun.headers['location']?.toString() ?? '', says));
  const reply = await browser.ask('GET', `${back.pathname}${back.search}`);
  const { user_id: id } = (await browser.ask('GET', '/json/users/me')).body;
  expect(id !== undefined, 'a refusal starts no session').toBe(reply.status === 302);
  return id ?? `${reply.status} ${reply.body?.code}`;
}

const failed = '401 AUTHENTICATION_FAILED';
const surrogate = '\ud800';
const long = 'x'.repeat(100_000);

describe('somebody who has an address of the owner at the provider', () => {
  const unverified: Record<string, (email: string) => Says> = {
    ...Object.fromEntries(
      ['false', 'true', '', 0, 1, null, [], {}, [true], false].map((value) => [
        `verified is ${JSON.stringify(value)}`,
        (email: string): Says => ({ token: { email, email_verified: value } }),
      ]),
    ),
    'nothing says that it is verified': (email) => ({ token: { email } }),
    'only the place beside the token says that it is not': (email) => ({
      token: { email },
      userinfo: { email, email_verified: false },
    }),
    'the place beside the token says it of another': (email) => ({
      token: { email },
      userinfo: { email: 'other@new.example', email_verified: true },
    }),
    'the place beside the token says something that is not true': (email) => ({
      userinfo: { email, email_verified: 'true' },
    }),
    'the token says it of no address': (email) => ({
      token: { email_verified: true },
      userinfo: { email },
    }),
  };

  test.each(Object.entries(unverified))('is not signed in if %s', async (_, says) => {
    const { owner } = await realm();
    expect(await signIn(owner.realm, says(owner.email))).toBe(failed);
  });

  test('is signed in if the token or the place beside it says that it is verified', async () => {
    const { owner, alice } = await realm();
    const { email } = owner;
    expect(await signIn(owner.realm, { token: { email, email_verified: true } })).toBe(owner.id);
    const says = { email: alice.email, email_verified: true };
    expect(await signIn(owner.realm, { token: { sub: 'alice' }, userinfo: says })).toBe(alice.id);
  });

  test('is signed in if the provider is known to verify all, unless it says that this one is not', async () => {
    const { owner } = await realm();
    const { email } = owner;
    for (const verified of [false, 'false', 0, null]) {
      const says = { token: { email, email_verified: verified } };
      expect(await signIn(owner.realm, says, trusting), String(verified)).toBe(failed);
    }
    expect(await signIn(owner.realm, { token: { email } }, trusting)).toBe(owner.id);
  });
});

describe('a token of the provider', () => {
  const now = () => Math.floor(Date.now() / 1000);
  const bad: Record<string, () => Says> = {
    'another key signs': () => ({ signature: 'another key' }),
    'nothing signs': () => ({ signature: 'none' }),
    'the secret of the client signs': () => ({ signature: 'the secret of the client' }),
    'another provider makes': () => ({ token: { iss: 'https://other.example' } }),
    'is for another client': () => ({ token: { aud: 'other' } }),
    'is for others as well': () => ({ token: { aud: ['parley', 'other'] } }),
    'was made for another client': () => ({ token: { azp: 'other' } }),
    'was made for another client, for both': () => ({ token: { aud: ['parley', 'other'], azp: 'other' } }),
    'answers another question': () => ({ token: { nonce: 'other' } }),
    'answers no question': () => ({ token: { nonce: undefined } }),
    'has ended': () => ({ token: { exp: now() - 3600 } }),
    'has not begun': () => ({ token: { nbf: now() + 3600 } }),
    'never ends': () => ({ token: { exp: undefined } }),
    'ends in words': () => ({ token: { exp: 'later' } }),
    'is about nobody': () => ({ token: { sub: undefined } }),
    'is about a number': () => ({ token: { sub: 7 } }),
    'is about an empty text': () => ({ token: { sub: '' } }),
    'is about a text with NUL': () => ({ token: { sub: 'a\0' } }),
    'is about half a character': () => ({ token: { sub: surrogate } }),
    'is about a long text': () => ({ token: { sub: long } }),
  };

  test.each(Object.entries(bad))('signs nobody in if it is one that %s', async (_, says) => {
    const { owner } = await realm();
    const { token, ...more } = says();
    const claims = { email: owner.email, email_verified: true, ...token };
    expect(await signIn(owner.realm, { token: claims, ...more })).toBe(failed);
  });

  test('signs in if it was made for this client, and names it', async () => {
    const { owner } = await realm();
    const token = { email: owner.email, email_verified: true, azp: 'parley' };
    expect(await signIn(owner.realm, { token })).toBe(owner.id);
    expect(await signIn(owner.realm, { token: { ...token, aud: ['parley', 'other'] } })).toBe(owner.id);
  });

  test('may hold anything, and gets a documented answer', async () => {
    const { owner } = await realm();
    await succeed(owner.patch('/realm', { invite_required: false, emails_restricted_to_domains: false }));
    for (const value of ['a\0@b.example', `${surrogate}@b.example`, long, 'nobody', '', 7, null, [], {}]) {
      for (const place of ['token', 'userinfo']) {
        const says = { [place]: { email: value, email_verified: true } };
        expect(await signIn(owner.realm, says), JSON.stringify(says).slice(0, 99)).toMatch(/^40[01] /);
      }
    }
    for (const [index, name] of ['a\0b', surrogate, long, 7, null, [], {}, ''].entries()) {
      const token = { sub: `${index}`, email: `new-${index}@b.example`, email_verified: true, name };
      expect(await signIn(owner.realm, { token }), JSON.stringify(name).slice(0, 99)).toEqual(
        expect.any(Number),
      );
    }
  });
});

describe('an account', () => {
  const as = (sub: string, email: string, verified = true): Says => ({
    token: { sub, email, email_verified: verified },
  });

  test('belongs to whoever signed in to it first, whatever their address becomes', async () => {
    const { owner, alice, realm: home } = await realm();
    expect(await signIn(home, as('one', alice.email))).toBe(alice.id);
    expect(await signIn(home, as('one', 'new@elsewhere.example', false))).toBe(alice.id);
    expect(await signIn(home, as('one', owner.email)), 'not the account with that address').toBe(alice.id);
    expect(await signIn(home, as('two', alice.email))).toBe(failed);
    expect(await signIn(home, as('two', owner.email))).toBe(owner.id);
  });

  test('is let go by an operator', async () => {
    const { alice, realm: home } = await realm();
    expect(await signIn(home, as('one', alice.email))).toBe(alice.id);
    const { engine } = await getWorld();
    const unlink = async () =>
      (await engine.writeWithoutLog(home.id, actions.signIn.unlink, { user: alice })).count;
    expect([await unlink(), await unlink()]).toEqual([1, 0]);
    expect(await signIn(home, as('two', alice.email))).toBe(alice.id);
    expect(await signIn(home, as('one', alice.email))).toBe(failed);
  });

  test('belongs to nobody of another organization', async () => {
    const [here, there] = [await realm(), await realm()];
    expect(await signIn(here.realm, as('one', here.alice.email))).toBe(here.alice.id);
    expect(await signIn(there.realm, as('one', here.alice.email)), 'nobody there has this address').toBe(
      failed,
    );
    expect(await signIn(there.realm, as('one', there.bob.email))).toBe(there.bob.id);
    expect(await signIn(here.realm, as('one', there.bob.email))).toBe(here.alice.id);
  });

  test('is not signed in to if it is a bot’s or deactivated', async () => {
    const { owner, alice, bot, realm: home } = await realm();
    expect(await signIn(home, as('one', bot.email))).toBe(failed);
    expect(await signIn(home, as('two', alice.email))).toBe(alice.id);
    await succeed(owner.delete(`/users/${alice.id}`));
    for (const sub of ['two', 'three']) {
      expect(await signIn(home, as(sub, alice.email)), sub).toBe('401 USER_DEACTIVATED');
    }
    expect(await signIn(home, as('one', owner.email)), 'no refusal has made anybody’s account').toBe(
      owner.id,
    );
  });

  test('is made once, however often somebody comes at once', async () => {
    const { owner, realm: home } = await realm();
    await succeed(owner.patch('/realm', { invite_required: false, emails_restricted_to_domains: false }));
    const ids = await Promise.all(
      ['one', 'one', 'two'].map((sub) => signIn(home, as(sub, 'newcomer@new.example'))),
    );
    expect(new Set(ids.filter((id) => typeof id === 'number')).size).toBe(1);
    expect(ids.every((id) => typeof id === 'number' || id === failed)).toBe(true);
  });
});
