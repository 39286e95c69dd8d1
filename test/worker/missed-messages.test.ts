import { createMailer } from '@parley/worker';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';

import {
  type Mailbox,
  type Person,
  type TestRealm,
  notify,
  pendingFor,
  realm,
  say,
  setLastSeen,
  startMailbox,
  subscribe,
  succeed,
  tell,
} from '../support/index.ts';

let mailbox: Mailbox;
let home: TestRealm;
let before = 0;
beforeAll(async () => {
  mailbox = await startMailbox();
});
afterAll(() => mailbox[Symbol.asyncDispose]());
beforeEach(async () => {
  home = await realm();
  // A realm is looked at from the end of its log on.
  await run();
  before = (await mailbox.mails()).length;
});

const mailerTo = (smtpUrl: string) =>
  createMailer({ smtpUrl, folder: undefined, from: 'Parley <noreply@parley.example>' });

/** What workers do, as they would do it some time from now. */
const run = (laterSeconds = 0, mailer = mailerTo(mailbox.url)) =>
  notify({ mailer, clock: { nowMs: () => Date.now() + laterSeconds * 1000 } });

/** Runs once now, and again when the time for a mail has come. */
const runUntilDue = async () => {
  await run();
  await run(121);
};

/** The mails that a person got in this test. */
const mailsOf = async ({ email }: Person) =>
  (await mailbox.mails()).slice(before).filter(({ to }) => to?.[0]?.address === email);

const read = (who: Person, ...messages: number[]) =>
  succeed(who.post('/messages/flags', { messages, op: 'add', flag: 'read' }));

describe('messages that somebody missed', () => {
  test('are told of by mail after two minutes, those of a conversation together, once', async () => {
    const { alice, bob, carol } = home;
    const first = await tell(alice, [bob], 'Hello **Bob** <3');
    await run();
    await run(118);
    expect(await mailsOf(bob)).toEqual([]);
    const [waiting] = await pendingFor(bob);
    expect(waiting?.wait_seconds).toBeGreaterThan(110);
    await tell(alice, [bob], 'Are you there? https://ex.org/a');
    await tell(carol, [bob], 'Lunch?');
    await run();
    await run(121);
    await run(1000);
    const mails = await mailsOf(bob);
    expect(mails.map(({ subject = '' }) => subject).sort()).toEqual([
      'Direct messages with Alice',
      'Direct messages with Carol',
    ]);
    const mail = mails.find(({ subject }) => subject?.endsWith('Alice'));
    expect(mail?.text).toContain('Alice\n\nHello Bob <3\n\nAre you there? https://ex.org/a\n');
    expect(mail?.text).toContain(`${bob.realm.url}/#narrow/dm/${alice.id},${bob.id}-dm/near/`);
    expect(mail?.html).toContain('<p>Hello <strong>Bob</strong> &lt;3</p>');
    expect(mail?.html).not.toMatch(/<img|<script/);
    expect(mail?.html).toContain('<a href="https://ex.org/a">');
    expect(mail?.from?.address).toBe('noreply@parley.example');
    const header = (key: string) => mail?.headers.find((one) => one.key === key)?.value;
    expect(header('list-unsubscribe')).toContain(`${bob.realm.url}/unsubscribe/`);
    expect(header('list-unsubscribe-post')).toBe('List-Unsubscribe=One-Click');
    expect(header('auto-submitted')).toBe('auto-generated');
    expect(await mailsOf(alice)).toEqual([]);
    expect(first).toBeGreaterThan(0);
    expect(await pendingFor(bob)).toEqual([]);
  });

  test('are not, once they are read', async () => {
    const { alice, bob } = home;
    const ids = [await tell(alice, [bob], 'one'), await tell(alice, [bob], 'two')];
    await run();
    await read(bob, ids[0] ?? 0);
    await run(121);
    const [mail, ...others] = await mailsOf(bob);
    expect(others).toEqual([]);
    expect(mail?.text).toContain('two');
    expect(mail?.text).not.toContain('one\n');
    await read(bob, await tell(alice, [bob], 'three'));
    const gone = await tell(alice, [bob], 'four');
    await run();
    await succeed(alice.delete(`/messages/${gone}`));
    await run(242);
    expect(await mailsOf(bob)).toHaveLength(1);
    expect(await pendingFor(bob)).toEqual([]);
  });

  test('are told of when their reader wants it, and not before they are away', async () => {
    const { alice, bob, carol } = home;
    await succeed(bob.patch('/settings', { email_notifications_batching_period_seconds: 3600 }));
    await succeed(carol.post('/users/me/presence', { status: 'active' }));
    await tell(alice, [bob, carol], 'later');
    await run();
    await run(3500);
    // She has come back meanwhile, and not read it.
    expect([(await mailsOf(bob)).length, (await mailsOf(carol)).length]).toEqual([0, 1]);
    await run(3601);
    expect(await mailsOf(bob)).toHaveLength(1);
  });

  test('wait while their reader is active', async () => {
    const { alice, bob } = home;
    await succeed(bob.post('/users/me/presence', { status: 'active' }));
    await tell(alice, [bob], 'later');
    await run();
    await run(199);
    expect(await mailsOf(bob)).toEqual([]);
    await setLastSeen(bob, -300, -300);
    await run(321);
    expect(await mailsOf(bob)).toEqual([]);
    await run(501);
    expect(await mailsOf(bob)).toHaveLength(1);
  });

  test('are not told of to those who want no mail, and to accounts that have ended', async () => {
    const { owner, alice, bob, carol, bot } = home;
    await succeed(bob.patch('/settings', { enable_offline_email_notifications: false }));
    await tell(alice, [bob, carol, bot], 'hey');
    await run();
    await succeed(owner.delete(`/users/${carol.id}`));
    await run(121);
    expect([await mailsOf(bob), await mailsOf(carol), await mailsOf(bot)]).toEqual([[], [], []]);
    expect(await pendingFor(carol)).toEqual([]);
  });
});

describe('of a channel', () => {
  const topic = 'lunch';
  const setChannel = (who: Person, stream_id: number, property: string, value: unknown) =>
    succeed(
      who.post('/users/me/subscriptions/properties', { subscription_data: [{ stream_id, property, value }] }),
    );

  async function channelWith(...people: Person[]): Promise<number> {
    await subscribe(home.alice, 'news', [home.alice, ...people]);
    return (await succeed(home.alice.get('/get_stream_id', { stream: 'news' }))).stream_id;
  }

  test('mentions, followed topics and what somebody wants all of are told, topic by topic', async () => {
    const { alice, bob, carol, admin, moderator, owner, guest } = home;
    const channel = await channelWith(bob, carol, admin, moderator, owner, guest);
    await succeed(carol.post('/user_topics', { stream_id: channel, topic, visibility_policy: 3 }));
    await succeed(admin.patch('/settings', { enable_stream_email_notifications: true }));
    await setChannel(moderator, channel, 'email_notifications', true);
    await setChannel(owner, channel, 'email_notifications', true);
    await setChannel(owner, channel, 'is_muted', true);
    await say(alice, 'news', topic, 'soup, @**Bob**?');
    await say(alice, 'news', '', 'elsewhere');
    await runUntilDue();
    const subjects = async (who: Person) => (await mailsOf(who)).map(({ subject = '' }) => subject).sort();
    expect(await subjects(bob)).toEqual([`#news > ${topic}`]);
    expect(await subjects(carol)).toEqual([`#news > ${topic}`]);
    const both = ['#news > general chat', `#news > ${topic}`];
    expect([await subjects(admin), await subjects(moderator)]).toEqual([both, both]);
    expect([await subjects(owner), await subjects(guest)]).toEqual([[], []]);
    const [mail] = await mailsOf(bob);
    expect(mail?.text).toContain(`Alice in #news > ${topic}\n\nsoup, @Bob?`);
    expect(mail?.text).toContain(`/#narrow/channel/${channel}-news/topic/lunch/near/`);
  });

  test('later mails of a topic refer to the same as earlier ones, and have ids of their own', async () => {
    const { alice, bob } = home;
    await channelWith(bob);
    await say(alice, 'news', topic, '@**Bob** one');
    await runUntilDue();
    await say(alice, 'news', 'Lunch', '@**Bob** two');
    await say(alice, 'news', 'other', '@**Bob** three');
    await runUntilDue();
    const mails = await mailsOf(bob);
    const [one, two, three] = ['one', 'two', 'three'].map((text) =>
      mails.find((mail) => mail.text?.includes(text)),
    );
    expect(one?.inReplyTo).toMatch(/^<.+@.+>$/);
    expect(two?.inReplyTo).toBe(one?.inReplyTo);
    expect(three?.inReplyTo).not.toBe(one?.inReplyTo);
    expect(new Set(mails.map(({ messageId }) => messageId)).size).toBe(3);
  });
});

describe('a mail', () => {
  test('says nothing of its messages where the reader or the organization wants that', async () => {
    const { owner, alice, bob, carol } = home;
    await succeed(bob.patch('/settings', { message_content_in_email_notifications: false }));
    const secret = 'a secret';
    await tell(alice, [bob], secret);
    await tell(alice, [bob], secret);
    await runUntilDue();
    await succeed(owner.patch('/realm', { message_content_allowed_in_email_notifications: false }));
    await tell(alice, [carol], secret);
    await runUntilDue();
    for (const who of [bob, carol]) {
      const [mail] = await mailsOf(who);
      expect(JSON.stringify([mail?.subject, mail?.text, mail?.html])).not.toMatch(/secret|Alice|narrow/);
    }
    expect((await mailsOf(bob))[0]?.subject).toBe('You have 2 new messages');
    expect((await mailsOf(carol))[0]?.subject).toBe('You have 1 new message');
  });

  test('names the organization where its reader has several, or wants it always or never', async () => {
    const other = await realm();
    const { alice, bob, carol } = home;
    const { email } = bob;
    await other.join({ name: 'Bob', email });
    await tell(alice, [bob], 'hey');
    await succeed(carol.patch('/settings', { realm_name_in_email_notifications_policy: 2 }));
    await tell(alice, [carol], 'hey');
    await runUntilDue();
    const subjectOf = async (who: Person) => (await mailsOf(who)).at(-1)?.subject;
    expect(await subjectOf(bob)).toMatch(/^Direct messages with Alice \[.+\]$/);
    expect(await subjectOf(carol)).toMatch(/^Direct messages with Alice \[.+\]$/);
    await succeed(bob.patch('/settings', { realm_name_in_email_notifications_policy: 3 }));
    await tell(alice, [bob], 'hey');
    await runUntilDue();
    expect(await subjectOf(bob)).toBe('Direct messages with Alice');
  });

  test('a mail that was not sent is sent later, under the same id, with what is still unread', async () => {
    const { alice, bob } = home;
    const ids = [await tell(alice, [bob], 'first'), await tell(alice, [bob], 'second')];
    await run();
    const away = mailerTo('smtp://127.0.0.1:1');
    await expect(run(121, away)).rejects.toThrow(/ECONNREFUSED|connect/);
    const [waiting] = await pendingFor(bob);
    expect(waiting).toMatchObject({ kind: 'mail', attempts: 1 });
    expect(waiting?.wait_seconds).toBeGreaterThan(121 + 50);
    // A worker that sent it, and died before it could say so.
    const sent: string[] = [];
    const dying = {
      isAvailable: true,
      send: ({ messageId }: { messageId?: string }) => {
        sent.push(messageId ?? '');
        return Promise.reject(new Error('killed'));
      },
    };
    await expect(run(200, dying)).rejects.toThrow('killed');
    await read(bob, ids[0] ?? 0);
    await tell(alice, [bob], 'third');
    await run(400);
    const [mail, ...others] = await mailsOf(bob);
    expect([mail?.messageId, others.length]).toEqual([sent[0], 0]);
    expect(mail?.text).toContain('second');
    expect(mail?.text).not.toMatch(/first|third/);
    await run(600);
    expect((await mailsOf(bob)).at(-1)?.text).toContain('third');
  });

  test('a mail about very many messages shows the first and counts the others', async () => {
    const { alice, bob } = home;
    for (let number = 1; number <= 33; number += 1) await tell(alice, [bob], `message ${number}.`);
    await runUntilDue();
    const [mail] = await mailsOf(bob);
    expect(mail?.text).toContain('message 30.');
    expect(mail?.text).not.toContain('message 31.');
    expect(mail?.text).toContain('And 3 more.');
  });
});
