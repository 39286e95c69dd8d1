import { mkdtemp, readFile, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { createMailer } from '@parley/worker';
import PostalMime from 'postal-mime';
import { describe, expect, test } from 'vitest';

import {
  type Person,
  basic,
  confirmEmail,
  confirmationPath,
  emailChangeOf,
  getWorld,
  letManageAccounts,
  realm,
  runOnDemand,
  runRecurring,
  sendConfirmation,
  startMailbox,
  succeed,
} from '../support/index.ts';

const password = 'correct horse battery staple';
const other = 'a completely different sentence';

const logIn = async (asker: Person, username: string, typed: string) =>
  (await asker.ask('POST', '/fetch_api_key', { username, password: typed }, { authorization: null })).body;

describe('new_password', () => {
  test('takes the place of the old one, which has to be right; the key stays', async () => {
    const { alice, join } = await realm();
    const dora = await join({ name: 'Dora', password });
    const change = (old_password: string | undefined, new_password: string) =>
      dora.patch('/settings', { ...(old_password !== undefined && { old_password }), new_password });

    expect(await change(undefined, other)).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'This is not your current password.',
    });
    expect(await change('something else', other)).toMatchObject({
      msg: 'This is not your current password.',
    });
    for (const weak of ['short', 'password1', 'Dora', 'x'.repeat(101)]) {
      expect(await change(password, weak)).toMatchObject({
        msg: 'This password is too easy to guess. Choose a longer one.',
      });
    }
    expect(await logIn(alice, dora.email, password)).toMatchObject({ result: 'success' });

    await succeed(change(password, other));

    expect(await logIn(alice, dora.email, password)).toMatchObject({ code: 'AUTHENTICATION_FAILED' });
    expect(await logIn(alice, dora.email, other)).toMatchObject({ api_key: dora.apiKey });
    expect(await dora.get('/users/me')).toMatchObject({ user_id: dora.id });
  });

  test('a new password and another address may be asked for at once', async () => {
    const { alice, join } = await realm();
    const dora = await join({ name: 'Dora', password });
    const email = 'dora@new.example';
    await succeed(dora.patch('/settings', { old_password: password, new_password: other, email }));
    expect((await confirmEmail(dora, await confirmationPath(dora))).status).toBe(200);
    expect(await logIn(alice, email, other)).toMatchObject({ result: 'success' });
  });

  test('is refused together with whatever is wrong beside it', async () => {
    const { alice, join } = await realm();
    const dora = await join({ name: 'Dora', password });
    const both = { old_password: password, new_password: other, full_name: 'a*b' };
    expect(await dora.patch('/settings', both)).toMatchObject({
      msg: 'This name contains characters that are not allowed.',
    });
    expect(await logIn(alice, dora.email, password)).toMatchObject({ result: 'success' });
    const named = { old_password: 'wrong', new_password: other, full_name: 'Theodora' };
    expect(await dora.patch('/settings', named)).toMatchObject({ msg: 'This is not your current password.' });
    expect(await dora.get('/users/me')).toMatchObject({ full_name: 'Dora' });
  });

  test('cannot be guessed at without end', async () => {
    const { join } = await realm();
    const dora = await join({ name: 'Dora', password });
    const guess = () => dora.patch('/settings', { old_password: 'a guess', new_password: other });
    for (let time = 0; time < 5; time += 1)
      expect((await guess()).msg).toBe('This is not your current password.');
    expect(await guess()).toMatchObject({ code: 'BAD_REQUEST', msg: expect.stringMatching(/[Tt]oo many/) });
  });
});

describe('email', () => {
  test('changes when the link is opened that was sent there, once', async () => {
    await using mailbox = await startMailbox();
    const { alice, bob, realm: home } = await realm();
    const listener = await bob.listen({ event_types: ['realm_user'] });
    const email = 'alice@new.example';

    await succeed(alice.patch('/settings', { email }));

    expect(await alice.get('/users/me')).toMatchObject({ delivery_email: alice.email });
    expect(await sendConfirmation(alice, mailbox.url)).toEqual({ sent: 1 });
    expect(await sendConfirmation(alice, mailbox.url), 'it is sent once').toEqual({ sent: 0 });
    const [mail, ...more] = await mailbox.mails();
    expect([mail, ...more]).toMatchObject([
      { to: [{ address: email }], from: { address: 'noreply@parley.example' } },
    ]);
    const link = /http:\S+/.exec(mail?.text?.replace(/\(http\S+\)/, '') ?? '')?.[0] ?? '';
    expect(link.startsWith(`${home.url}/accounts/`)).toBe(true);
    const { pathname } = new URL(link);

    expect((await alice.fetch(pathname, {}, { authorization: null })).text).toContain(email);
    expect(await listener.hears()).toEqual([]);
    expect((await confirmEmail(alice, pathname)).status).toBe(200);

    expect(await listener.hears()).toMatchObject([
      { person: { user_id: alice.id, delivery_email: email } },
      { person: { user_id: alice.id } },
      { person: { user_id: alice.id, new_email: email } },
    ]);
    expect(await alice.get('/users/me')).toMatchObject({ code: 'UNAUTHORIZED' });
    const asNew = { authorization: basic(email, alice.apiKey) };
    expect((await alice.ask('GET', '/users/me', {}, asNew)).body).toMatchObject({ delivery_email: email });
    expect((await confirmEmail(alice, pathname)).status, 'a link works once').toBe(404);
  });

  test('stays as it is after a day, another request, a new password, or a change by somebody else', async () => {
    const { alice, owner, join } = await realm();
    const dora = await join({ name: 'Dora', password });
    await letManageAccounts(owner);
    const ask = async (person: Person, email: string) => {
      await succeed(person.patch('/settings', { email }));
      return await confirmationPath(person);
    };
    const world = await getWorld();
    const first = await ask(alice, 'first@new.example');
    const second = await ask(alice, 'second@new.example');
    expect((await confirmEmail(alice, first)).status).toBe(404);
    await using tomorrow = await world.startApi({ clock: { nowMs: () => Date.now() + 86_401_000 } });
    expect((await confirmEmail(alice, second, tomorrow.port)).status).toBe(404);

    const third = await ask(dora, 'third@new.example');
    await succeed(dora.patch('/settings', { old_password: password, new_password: other }));
    expect((await confirmEmail(dora, third)).status).toBe(404);

    await succeed(owner.patch(`/users/${alice.id}`, { new_email: 'given@new.example' }));
    expect((await confirmEmail(alice, second)).status).toBe(404);
    const forged = second.replace(/\d+\./, (id) => `${Number.parseInt(id, 10) + 1}.`);
    for (const path of [
      forged,
      `${second}x`,
      second.replace(/\.\w/, '.'),
      '/accounts/confirm_new_email/%00',
    ]) {
      expect((await confirmEmail(alice, path)).status, path).toBe(404);
    }
    expect((await (await realm()).bob.fetch(second, {}, { authorization: null })).status).toBe(404);
  });

  test('is refused where it cannot be, and where nobody would get the mail', async () => {
    const { alice, bob, owner, admin } = await realm();
    const world = await getWorld();
    const ask = async (by: Person, email: string, port?: number) =>
      (await by.ask('PATCH', '/settings', { email }, port === undefined ? {} : { port })).body;
    expect(await ask(alice, 'nowhere')).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await ask(alice, bob.email.toUpperCase())).toMatchObject({
      msg: 'Another account already uses this email address.',
    });
    await using silent = await world.startApi({ canSendMail: false });
    expect(await ask(alice, 'a@new.example', silent.port)).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await ask(alice, alice.email, silent.port), 'nothing is asked for').toMatchObject({
      result: 'success',
    });
    await using strict = await world.startApi({ limits: { emailChanges: [{ seconds: 3600, count: 2 }] } });
    for (const result of ['success', 'success', 'error']) {
      expect(await ask(bob, `${result}@new.example`, strict.port)).toMatchObject({ result });
    }
    expect(await ask(bob, 'b@new.example', strict.port)).toMatchObject({ code: 'RATE_LIMIT_HIT' });

    await succeed(alice.patch('/settings', { email: 'a@new.example' }));
    await succeed(owner.patch('/realm', { email_changes_disabled: true }));
    const disabled = 'This organization does not let people change their email addresses.';
    expect(await ask(bob, 'c@new.example')).toMatchObject({ msg: disabled });
    expect(await confirmEmail(alice, await confirmationPath(alice))).toMatchObject({ status: 400 });
    await succeed(ask(admin, 'admin@new.example'));
  });

  test('an email address that somebody else took meanwhile stays theirs', async () => {
    const { alice, bob } = await realm();
    const email = 'wanted@new.example';
    for (const person of [alice, bob]) await succeed(person.patch('/settings', { email }));
    const paths = [await confirmationPath(alice), await confirmationPath(bob)];
    const replies = await Promise.all(paths.map((path) => confirmEmail(alice, path)));
    expect(replies.map(({ status }) => status).sort((a, b) => a - b)).toEqual([200, 400]);
  });

  test('is mailed again and again while there is no SMTP server, until it is too late', async () => {
    const { alice } = await realm();
    await succeed(alice.patch('/settings', { email: 'alice@later.example' }));
    const id = await emailChangeOf(alice);
    await expect(sendConfirmation(alice, 'smtp://127.0.0.1:1')).rejects.toThrow('ECONNREFUSED');

    const enqueued: number[] = [];
    const sweepAt = (seconds: number) =>
      runRecurring('sweep-email-changes', {
        clock: { nowMs: () => Date.now() + seconds * 1000 },
        queues: { enqueue: (job) => void enqueued.push(job.id) },
      });
    await sweepAt(0);
    expect(enqueued).not.toContain(id);
    await sweepAt(61);
    expect(enqueued).toContain(id);
    await sweepAt(86_401);
    await expect(emailChangeOf(alice)).rejects.toThrow('No change');
  });

  test('mail in development is written to the mailbox folder', async () => {
    const { alice } = await realm();
    const folder = await mkdtemp(join(tmpdir(), 'parley-mail-'));
    try {
      await succeed(alice.patch('/settings', { email: 'alice@folder.example' }));
      const mailer = createMailer({ smtpUrl: undefined, folder, from: 'noreply@parley.example' });
      await runOnDemand('confirm-email', await emailChangeOf(alice), { mailer });
      const [name = ''] = await readdir(folder);
      const mail = await PostalMime.parse(await readFile(join(folder, name)));
      expect(mail.to).toMatchObject([{ address: 'alice@folder.example' }]);
      expect(mail.text).toContain(await confirmationPath(alice));
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
