import * as actions from '@parley/actions';
import { describe, expect, test } from 'vitest';

import {
  type Browser,
  type Person,
  type PushBrowser,
  type TestRealm,
  createPushBrowser,
  getWorld,
  openBrowser,
  realm,
  runRecurring,
  succeed,
} from '../../support/index.ts';

const path = '/users/me/web_push_subscriptions';
const next = 'the secret of tomorrow, which has 32 characters and more';

const subscribe = (who: Person, { subscription }: PushBrowser, more: object = {}) =>
  succeed(who.post(path, { ...subscription, ...more }));

const registeredOf = async (who: Person) => (await succeed(who.get(path))).subscriptions;

/** What is registered for an account, as it is stored. */
async function storedOf({ id }: Person) {
  const { sql } = await getWorld();
  return await sql`select token, p256dh, auth, name from push_tokens where user_id = ${id} and service = 'web'`;
}

const password = 'correct horse battery staple';

async function logIn({ realm: home }: TestRealm, { email }: Person): Promise<Browser> {
  const browser = openBrowser(home);
  expect((await browser.ask('POST', '/login/', { username: email, password })).status).toBe(200);
  return browser;
}

const subscribeIn = async (browser: Browser) => {
  const { status, text } = await browser.ask('POST', `/json${path}`, createPushBrowser().subscription);
  expect(status, text).toBe(200);
};

describe('browsers', () => {
  test('are registered once, however often, listed and forgotten', async () => {
    const { alice, bob } = await realm();
    const browser = createPushBrowser();
    const { id } = await subscribe(alice, browser, { name: 'Firefox' });
    expect((await subscribe(alice, browser, { name: 'Firefox on Linux' })).id).toBe(id);
    expect(await registeredOf(alice)).toEqual([
      { id, name: 'Firefox on Linux', registered_timestamp: expect.any(Number) },
    ]);
    const { endpoint, ...keys } = browser.subscription;
    expect(await storedOf(alice)).toEqual([{ token: endpoint, ...keys, name: 'Firefox on Linux' }]);
    expect((await bob.delete(`${path}/${id}`)).code).toBe('BAD_REQUEST');
    await succeed(alice.delete(`${path}/${id}`));
    expect(await registeredOf(alice)).toEqual([]);
    expect((await alice.delete(`${path}/${id}`)).msg).toBe('No browser of yours has this id.');
  });

  test('belong to the account that registered them last', async () => {
    const { alice, bob } = await realm();
    const browser = createPushBrowser();
    await subscribe(alice, browser);
    await subscribe(bob, browser);
    expect([await storedOf(alice), (await storedOf(bob)).length]).toEqual([[], 1]);
  });

  test('are registered once by two at the same moment', async () => {
    const { alice, bob } = await realm();
    const browser = createPushBrowser();
    await Promise.all([alice, bob, alice, bob].map((who) => subscribe(who, browser)));
    expect((await storedOf(alice)).length + (await storedOf(bob)).length).toBe(1);
  });

  test('are no more than twenty, and take no phone’s place', async () => {
    const { alice } = await realm();
    await succeed(alice.post('/users/me/android_gcm_reg_id', { token: 'phone' }));
    for (let number = 0; number <= 20; number += 1)
      await subscribe(alice, createPushBrowser(), { name: `${number}` });
    const names = (await registeredOf(alice)).map(({ name }: { name: string }) => name);
    expect([names.length, names[0]]).toEqual([20, '1']);
    await succeed(alice.delete('/users/me/android_gcm_reg_id', { token: 'phone' }));
  });

  test.each(
    [
      ['endpoint', 'http://push.example.com/x'],
      ['endpoint', 'https://127.0.0.1/x'],
      ['endpoint', 'https://0x7f.1/x'],
      ['endpoint', 'https://[::1]/x'],
      ['endpoint', 'https://localhost/x'],
      ['endpoint', 'https://user:word@push.example.com/x'],
      ['endpoint', 'https://push.example.com/x#y'],
      ['endpoint', `https://push.example.com/${'x'.repeat(2000)}`, 'too long'],
      ['endpoint', 'x'],
      ['endpoint', ''],
      ['p256dh', ''],
      ['p256dh', 'A'.repeat(87)],
      ['p256dh', Buffer.alloc(65, 4).toString('base64url')],
      ['p256dh', 'B'.repeat(100_000), 'far too long'],
      ['auth', ''],
      ['auth', 'AAAA'],
      ['auth', '\0'],
      ['name', 'x'.repeat(101), 'too long'],
      ['name', 'a\0b'],
      ['expiration_timestamp', '-1'],
    ].map(([name = '', value = '', what = value]) => [name, what, value] as const),
  )('are not registered if their %s is %j', async (name, _, value) => {
    const { alice } = await realm();
    const reply = await alice.post(path, { ...createPushBrowser().subscription, [name]: value });
    expect(reply.code).toBe('BAD_REQUEST');
    expect(await storedOf(alice)).toEqual([]);
  });

  test('are not those of bots', async () => {
    const { bot } = await realm();
    expect((await bot.post(path, createPushBrowser().subscription)).code).toBe('BAD_REQUEST');
  });

  test('are forgotten with the key, the account and the organization', async () => {
    const { owner, alice, bob, carol } = await realm();
    for (const who of [alice, bob, carol]) await subscribe(who, createPushBrowser());
    await succeed(alice.post('/users/me/api_key/regenerate'));
    await succeed(owner.delete(`/users/${bob.id}`));
    expect([await storedOf(alice), await storedOf(bob), (await storedOf(carol)).length]).toEqual([[], [], 1]);
    await succeed(owner.post('/realm/deactivate'));
    expect(await storedOf(carol)).toEqual([]);
  });

  test('are forgotten when they have expired', async () => {
    const { alice } = await realm();
    const inSeconds = (seconds: number) => Math.floor(Date.now() / 1000) + seconds;
    await subscribe(alice, createPushBrowser(), { expiration_timestamp: inSeconds(-10) });
    await subscribe(alice, createPushBrowser(), { expiration_timestamp: inSeconds(1000), name: 'young' });
    await runRecurring('sweep-notifications');
    expect(await storedOf(alice)).toMatchObject([{ name: 'young' }]);
  });
});

describe('a session', () => {
  const open = async () => {
    const home = await realm();
    const dora = await home.join({ name: 'Dora', password });
    const browsers = [await logIn(home, dora), await logIn(home, dora)] as const;
    for (const browser of browsers) await subscribeIn(browser);
    expect(await storedOf(dora)).toHaveLength(2);
    return { dora, browsers };
  };

  test('ends its browser’s notifications when somebody logs out', async () => {
    const { dora, browsers } = await open();
    expect((await browsers[0].ask('POST', '/logout/')).status).toBe(200);
    expect(await storedOf(dora)).toHaveLength(1);
  });

  test('ends them with a new password, in all browsers', async () => {
    const { dora } = await open();
    const changed = { old_password: password, new_password: `${password} again` };
    await succeed(dora.patch('/settings', changed));
    expect(await storedOf(dora)).toEqual([]);
  });

  test('ends them when it is too old', async () => {
    const { dora } = await open();
    const { sql } = await getWorld();
    await sql`update sessions set expires_at = now() - interval '1 second' where user_id = ${dora.id}`;
    await runRecurring('sweep-mails');
    expect(await storedOf(dora)).toEqual([]);
  });
});

describe('the key of an organization', () => {
  const keyAt = async (who: Person, port?: number) => {
    const reply = await who.ask('GET', path, {}, port === undefined ? {} : { port });
    return (await succeed(Promise.resolve(reply.body))).public_key as string;
  };
  const privateOf = async ({ realm: { id } }: Person) => {
    const { sql } = await getWorld();
    const [row] = await sql`select private_key from vapid_keys where realm_id = ${id}`;
    return String(row?.['private_key']);
  };

  test('is made once, by whoever is first, and is another one in each organization', async () => {
    const [{ alice, bob }, other] = [await realm(), await realm()];
    const keys = await Promise.all([alice, bob, alice, bob, alice].map((who) => keyAt(who)));
    expect(new Set(keys).size).toBe(1);
    expect(Buffer.from(keys[0] ?? '', 'base64url')).toHaveLength(65);
    expect(await keyAt(other.alice)).not.toBe(keys[0]);
  });

  test('stays while the secret is being changed, and is sealed with the new one', async () => {
    const { alice } = await realm();
    const { startApi, secret, engine } = await getWorld();
    const key = await keyAt(alice);
    const sealed = await privateOf(alice);
    await runRecurring('seal-vapid-keys', { secrets: [next, secret] });
    expect(await privateOf(alice)).not.toBe(sealed);
    await using changed = await startApi({ secrets: [next, secret] });
    expect(await keyAt(alice, changed.port)).toBe(key);
    const kept = await actions.vapidKeys.ensure(engine.db, { realmId: alice.realm.id, secrets: [next] });
    expect(kept.publicKey).toBe(key);
    expect(await privateOf(alice)).not.toContain(kept.privateKey);
  });

  test('is another one when its secret is gone, and browsers that had the old one are forgotten', async () => {
    const { alice } = await realm();
    const { engine } = await getWorld();
    const key = await keyAt(alice);
    await subscribe(alice, createPushBrowser());
    await succeed(alice.post('/users/me/android_gcm_reg_id', { token: 'phone' }));
    const others = await Promise.all(
      [0, 1, 2].map(() => actions.vapidKeys.ensure(engine.db, { realmId: alice.realm.id, secrets: [next] })),
    );
    expect(new Set(others.map(({ publicKey }) => publicKey)).size).toBe(1);
    expect(others[0]?.publicKey).not.toBe(key);
    expect(await storedOf(alice)).toEqual([]);
    await succeed(alice.delete('/users/me/android_gcm_reg_id', { token: 'phone' }));
  });
});
