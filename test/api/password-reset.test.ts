import { createMailer } from '@parley/worker';
import { describe, expect, test } from 'vitest';

import {
  type Person,
  call,
  encode,
  getWorld,
  mailsTo,
  realm,
  resetKeyOf,
  runOnDemand,
  startMailbox,
  succeed,
} from '../support/index.ts';

const password = 'correct horse battery staple';
const other = 'a completely different sentence';
const form = { 'Content-Type': 'application/x-www-form-urlencoded' };

/** Sends the form in which a link is asked for. */
async function ask({ realm: { host } }: Person, email: string, headers = {}, port?: number) {
  const { ports } = await getWorld();
  const path = '/accounts/password/reset/';
  const sent = { Host: host, ...form, ...headers };
  return await call({
    port: port ?? ports.api,
    method: 'POST',
    path,
    headers: sent,
    body: encode({ email }),
  });
}

/** Sends the form in which a password is set. */
async function set({ realm: { host } }: Person, key: string, chosen: string, headers = {}) {
  const { ports } = await getWorld();
  const path = `/accounts/password/reset/${key}/`;
  const sent = { Host: host, ...form, ...headers };
  return await call({
    port: ports.api,
    method: 'POST',
    path,
    headers: sent,
    body: encode({ password: chosen }),
  });
}

/** The mails that are sent for what was entered. */
async function mailsFor(entered: string) {
  await using mailbox = await startMailbox();
  const mailer = createMailer({ smtpUrl: mailbox.url, folder: undefined, from: 'noreply@parley.example' });
  for (const id of await mailsTo(entered)) await runOnDemand('reset-password', id, { mailer });
  return await mailbox.mails();
}

const logIn = async (asker: Person, username: string, typed: string) =>
  (await asker.ask('POST', '/fetch_api_key', { username, password: typed }, { authorization: null })).body;

describe('a forgotten password', () => {
  test('gives way to another; sessions, the API key and a request for another address end', async () => {
    const { alice, join } = await realm();
    const dora = await join({ name: 'Dora', password });
    const { sql } = await getWorld();
    await succeed(dora.patch('/settings', { email: 'dora@new.example' }));
    const session = await call({
      port: (await getWorld()).ports.api,
      method: 'POST',
      path: '/login/',
      headers: { Host: dora.realm.host, ...form },
      body: encode({ username: dora.email, password }),
    });
    expect(session.status).toBe(200);
    await ask(alice, dora.email);
    const [mail] = await mailsFor(dora.email);
    const [, key = ''] = /\/accounts\/password\/reset\/([^/\s]+)\//.exec(mail?.text ?? '') ?? [];

    for (const weak of ['short', 'Dora', 'password1', 'x'.repeat(101)]) {
      const refused = await set(dora, key, weak);
      expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('too easy to guess')]);
    }
    expect((await set(dora, key, other)).status).toBe(200);

    expect(await logIn(alice, dora.email, password)).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    const { api_key } = await logIn(alice, dora.email, other);
    expect(api_key).not.toBe(dora.apiKey);
    expect(await dora.get('/users/me')).toMatchObject({ code: 'UNAUTHORIZED' });
    expect(await sql`select from sessions where user_id = ${dora.id}`).toHaveLength(0);
    expect(await sql`select from email_changes where user_id = ${dora.id}`).toHaveLength(0);
  });

  test('is changed by one of two who use the link at once', async () => {
    const { join } = await realm();
    const dora = await join({ name: 'Dora', password });
    const key = await resetKeyOf(dora);
    const replies = await Promise.all([set(dora, key, other), set(dora, key, `${other}!`)]);
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 404]);
  });

  test('is asked for with the same answer, whoever has an account', async () => {
    const { alice, bot, owner, join } = await realm();
    const gone = await join({ name: 'Gone', password });
    await succeed(owner.delete(`/users/${gone.id}`));
    const entered = [alice.email, alice.email.toUpperCase(), bot.email, gone.email, 'nobody@new.example'];
    const replies = await Promise.all(entered.map((email) => ask(alice, email)));
    const said = replies.map(({ status, text }, index) => [
      status,
      text.replaceAll(entered[index] ?? '', ''),
    ]);
    expect(new Set(said.map((one) => JSON.stringify(one))).size).toBe(1);
    expect(said[0]?.[0]).toBe(200);

    expect(await mailsFor(bot.email)).toEqual([]);
    expect(await mailsFor('nobody@new.example')).toEqual([]);
    const [toGone] = await mailsFor(gone.email);
    expect(toGone?.text).toContain('deactivated');
    expect(toGone?.text).not.toContain('/accounts/password/reset/');
  });

  test('is mailed about to the address that the account has, not to what looks like it', async () => {
    const { alice, join } = await realm();
    const kate = await join({ name: 'Kate', email: 'kate@new.example', password });
    await ask(alice, kate.email.toUpperCase());
    expect(await mailsFor(kate.email.toUpperCase())).toMatchObject([{ to: [{ address: kate.email }] }]);
  });

  test('is asked for a few times by each account, and by each address', async () => {
    const { alice, bob, carol } = await realm();
    const twice = [{ seconds: 3600, count: 2 }];
    const { startApi } = await getWorld();
    await using byAccount = await startApi({ limits: { passwordResets: twice } });
    const statuses = [];
    for (let time = 0; time < 3; time += 1) {
      statuses.push((await ask(alice, alice.email, {}, byAccount.port)).status);
    }
    statuses.push((await ask(alice, bob.email, {}, byAccount.port)).status);
    expect(statuses).toEqual([200, 200, 429, 200]);

    const addressOf = () => alice.realm.name;
    await using byAddress = await startApi({ limits: { passwordResetsByAddress: twice }, addressOf });
    const others = [alice, bob, carol].map(({ email }) => ask(alice, email, {}, byAddress.port));
    const answered = (await Promise.all(others)).map(({ status }) => status);
    expect(answered.sort((a, b) => a - b)).toEqual([200, 200, 429]);
  });

  test('is none where nobody logs in with a password that is kept here, or no mail is sent', async () => {
    const { alice, owner } = await realm();
    const { startApi } = await getWorld();
    await using silent = await startApi({ canSendMail: false });
    expect((await ask(alice, alice.email, { Accept: 'application/json' }, silent.port)).body).toMatchObject({
      code: 'BAD_REQUEST',
      msg: expect.stringContaining('cannot send email'),
    });
    const key = await resetKeyOf(alice);
    await succeed(owner.patch('/realm', { authentication_methods: { Email: false, JWT: true } }));
    const asJson = { Accept: 'application/json' };
    expect((await ask(alice, alice.email, asJson)).body).toMatchObject({ code: 'PASSWORD_AUTH_DISABLED' });
    expect((await set(alice, key, other, asJson)).body).toMatchObject({ code: 'PASSWORD_AUTH_DISABLED' });
  });

  test('is set by no page of another site', async () => {
    const { alice } = await realm();
    const foreign = { Origin: 'https://evil.example', Accept: 'application/json' };
    expect((await ask(alice, alice.email, foreign)).body).toMatchObject({ code: 'CSRF_FAILED' });
    expect((await set(alice, await resetKeyOf(alice), other, foreign)).body).toMatchObject({
      code: 'CSRF_FAILED',
    });
  });

  test('has its link where people log in', async () => {
    const { alice } = await realm();
    const { text } = await alice.fetch('/login/', {}, { authorization: null });
    expect(text).toContain('href="/accounts/password/reset/"');
    const { text: page } = await alice.fetch('/accounts/password/reset/', {}, { authorization: null });
    expect(page).toContain('name="email"');
  });
});
