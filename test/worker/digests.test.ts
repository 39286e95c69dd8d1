import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import {
  type Mailbox,
  type Person,
  mailsTo,
  realm,
  runRecurring,
  say,
  sendMails,
  setLastActive,
  startMailbox,
  subscribe,
  succeed,
  tell,
} from '../support/index.ts';

let mailbox: Mailbox;
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox[Symbol.asyncDispose]());

const today = (new Date().getUTCDay() + 6) % 7;
const mailer = { isAvailable: true, send: () => Promise.reject(new Error('A job of its own sends it.')) };
const run = (days = 0) =>
  runRecurring('digests', { mailer, clock: { nowMs: () => Date.now() + days * 86_400_000 } });

/** Sends the digests that wait for a person, and answers with the last mail. */
async function digestOf({ email }: Person) {
  const count = await sendMails(email, mailbox.url);
  const mails = (await mailbox.mails()).filter(({ to }) => to?.[0]?.address === email);
  return { count, mail: mails.at(-1) };
}

describe('a digest', () => {
  test('tells those who were not here for days what they have not read, once a week on its day', async () => {
    const { owner, alice, bob, carol, moderator } = await realm();
    await subscribe(alice, 'news', [alice, bob, carol, moderator]);
    for (const text of ['soup', 'salad']) await say(alice, 'news', 'lunch', text);
    await say(carol, 'news', 'lunch', 'bread');
    await say(alice, 'news', 'train', 'late');
    await tell(alice, [bob]);
    for (const who of [bob, moderator]) await setLastActive(who, 6);
    await succeed(moderator.patch('/settings', { enable_digest_emails: false }));
    await setLastActive(moderator, 6);
    await run();
    expect(await mailsTo(bob.email), 'the organization sends none').toEqual([]);
    await succeed(owner.patch('/realm', { digest_emails_enabled: true, digest_weekday: today }));
    await run(1);
    expect(await mailsTo(bob.email), 'it is another day').toEqual([]);
    await Promise.all([run(), run(), run()]);
    await run();
    for (const who of [alice, carol, moderator]) expect(await mailsTo(who.email)).toEqual([]);
    const { count, mail } = await digestOf(bob);
    expect(count).toBe(1);
    expect(mail?.subject).toMatch(/^Your week in /);
    expect(mail?.text).toContain('- Channels: 4 messages\n- #news > lunch: 3 messages from 2 people\n');
    expect(mail?.text).toContain('- #news > train: 1 message from 1 person\n- Direct messages: 1 message\n');
    expect(mail?.html).toContain('<li>#news &gt; lunch: 3 messages from 2 people</li>');
    expect(mail?.headers.find(({ key }) => key === 'list-unsubscribe')?.value).toContain('/unsubscribe/');
    await run();
    expect(await mailsTo(bob.email)).toEqual([]);
    await run(7);
    expect(await mailsTo(bob.email)).toHaveLength(1);
  });

  test('is not sent of nothing, and says no more than mails may', async () => {
    const { owner, alice, bob, carol } = await realm();
    await succeed(owner.patch('/realm', { digest_emails_enabled: true, digest_weekday: today }));
    await subscribe(alice, 'secret-plans', [alice, bob]);
    await say(alice, 'secret-plans', 'secret-topic');
    await succeed(bob.patch('/settings', { message_content_in_email_notifications: false }));
    for (const who of [bob, carol]) await setLastActive(who, 6);
    await run();
    expect((await digestOf(carol)).mail).toBeUndefined();
    expect(await mailsTo(carol.email)).toEqual([]);
    const { mail } = await digestOf(bob);
    expect(mail?.text).toContain('Channels: 1 message');
    expect(`${mail?.text}${mail?.html}`).not.toContain('secret');
  });
});
