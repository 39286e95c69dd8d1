import { createMailer } from '@parley/worker';
import { afterAll, beforeAll, expect, test } from 'vitest';

import {
  type Mailbox,
  type Person,
  encode,
  call,
  confirmEmail,
  confirmationPath,
  getWorld,
  letManageAccounts,
  notify,
  realm,
  say,
  sendConfirmation,
  sendMails,
  startMailbox,
  subscribe,
  succeed,
} from '../support/index.ts';

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox[Symbol.asyncDispose]());

const speak = (who: Person, language: string) =>
  succeed(who.patch('/settings', { default_language: language }));

/** The last mail that came to an address, and the language that it says it is in. */
async function lastMailTo(address: string) {
  const mail = (await mailbox.mails()).findLast(({ to }) => to?.[0]?.address === address);
  const language = mail?.headers.find(({ key }) => key === 'content-language')?.value;
  return { subject: '', text: '', html: '', ...mail, language };
}

test.each([
  ['de', 'ltr', '1 neue Nachricht', 'Lesen und antworten: http'],
  ['fr', 'ltr', '1 nouveau message', 'Lire et répondre\u00a0: http'],
  ['es', 'ltr', '1 mensaje nuevo', 'Leer y responder: http'],
  ['ja', 'ltr', '新着メッセージが1件', '読んで返信する：http'],
  ['ar', 'rtl', 'رسالة جديدة واحدة', 'القراءة والرد: http'],
  ['en-gb', 'ltr', '1 new message', 'Read and reply: http'],
  ['pl', 'ltr', '1 new message', 'Read and reply: http'],
])(
  'a mail about a missed message is in the language %s of its reader',
  async (language, dir, count, reply) => {
    const { alice, bob } = await realm();
    const mailer = createMailer({ smtpUrl: mailbox.url, folder: undefined, from: 'noreply@parley.example' });
    const run = (laterMs: number) => notify({ mailer, clock: { nowMs: () => Date.now() + laterMs } });
    await run(0);
    await speak(bob, language);
    await succeed(bob.patch('/settings', { message_content_in_email_notifications: false }));
    await subscribe(alice, 'news', [alice, bob]);
    await say(alice, 'news', 'lunch', '@**Bob** soup');
    await run(0);
    await run(121_000);
    const mail = await lastMailTo(bob.email);
    expect(mail.subject).toContain(count);
    expect(mail.text).toContain(reply);
    const tag = language === 'pl' ? 'en' : language.slice(0, 2);
    expect(mail.html).toContain(`<html lang="${tag}" dir="${dir}">`);
    expect(mail.language).toBe(tag);
  },
);

test('a mail about an account is in its language, and one to whoever has none in the organization’s', async () => {
  const { owner, bob, realm: home } = await realm();
  const { ports } = await getWorld();
  await succeed(owner.patch('/realm', { default_language: 'ar' }));
  await speak(bob, 'de');
  const invite = async (email: string) => {
    await succeed(owner.post('/invites', { invitee_emails: email, stream_ids: [] }));
    await sendMails(email, mailbox.url);
    return await lastMailTo(email);
  };
  expect(await invite('new@languages.example')).toMatchObject({
    language: 'ar',
    subject: expect.stringContaining('دعوة من'),
  });

  const asked = await call({
    port: ports.api,
    method: 'POST',
    path: '/accounts/password/reset/',
    headers: { Host: home.host, 'Content-Type': 'application/x-www-form-urlencoded' },
    body: encode({ email: bob.email }),
  });
  expect(asked.status).toBe(200);
  await sendMails(bob.email, mailbox.url);
  expect(await lastMailTo(bob.email)).toMatchObject({
    language: 'de',
    subject: expect.stringMatching(/^Dein Passwort bei /),
    text: expect.stringContaining('Um ein neues Passwort zu wählen'),
  });

  const email = `bob@elsewhere.example`;
  await succeed(bob.patch('/settings', { email }));
  await sendConfirmation(bob, mailbox.url);
  expect(await lastMailTo(email)).toMatchObject({
    language: 'de',
    subject: expect.stringMatching(/^Bestätige deine neue E-Mail-Adresse für /),
  });
  const former = bob.email;
  expect((await confirmEmail(bob, await confirmationPath(bob))).status).toBe(200);
  await sendMails(former, mailbox.url);
  expect(await lastMailTo(former)).toMatchObject({
    language: 'de',
    subject: expect.stringMatching(/^Deine E-Mail-Adresse bei .* wurde geändert$/),
  });

  await letManageAccounts(owner);
  const newcomer = { email: 'dora@languages.example', full_name: 'Dora' };
  await succeed(owner.post('/users', { ...newcomer, password: 'a long password, of words' }));
  await sendMails(newcomer.email, mailbox.url);
  expect((await lastMailTo(newcomer.email)).subject).toMatch(/^مرحبًا بك في /);
});
