import { afterEach, describe, expect, test } from 'vitest';

import {
  type Json,
  type Params,
  type Person,
  acceptInvitation,
  askJoin,
  createChannel,
  createGroup,
  getWorld,
  groupsById,
  invitationKeyOf,
  joinByLink,
  mailsTo,
  people,
  realm,
  runRecurring,
  sendMails,
  startMailbox,
  succeed,
} from '../../support/index.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
});

const password = 'correct horse battery staple';

async function invite(by: Person, email: string, more: Params = {}): Promise<string> {
  await succeed(by.post('/invites', { invitee_emails: email, stream_ids: [], ...more }));
  return await invitationKeyOf(email);
}

const channelsOf = async (by: Person, id: number) => {
  const { subscribed_channel_ids: ids } = await by.get(`/users/${id}/channels`);
  return ids;
};

describe('an invitation into groups', () => {
  test('makes the account a member of those to which its maker may still add', async () => {
    const { alice, bob, realm: home } = await realm();
    const [own, lost, gone] = [
      await createGroup(alice, 'own'),
      await createGroup(bob, 'lost', [], { can_add_members_group: people(alice, bob) }),
      await createGroup(alice, 'gone'),
    ];
    const key = await invite(alice, 'ann@new.example', { group_ids: [lost, own, gone] });
    await succeed(bob.patch(`/user_groups/${lost}`, { can_add_members_group: { new: people(bob) } }));
    await succeed(alice.post(`/user_groups/${gone}/deactivate`));
    const refusal = await alice.post('/invites', {
      invitee_emails: 'bea@new.example',
      stream_ids: [],
      group_ids: [lost],
    });
    expect(refusal['msg']).toBe(`There is no user group with the id ${lost}.`);
    const phone = await bob.listen({ event_types: ['user_group'] });
    const { user_id: id } = await acceptInvitation(home, key, 'Ann');
    expect(await phone.hears()).toContainEqual(
      expect.objectContaining({ op: 'add_members', group_id: own, user_ids: [id] }),
    );
    const groups = await groupsById(bob);
    expect([own, lost, gone].map((one) => groups[one]?.members)).toEqual([[id], [], []]);
  });
});

describe('the link in the mail', () => {
  test('leads to a page that makes the account', async () => {
    await using mailbox = await startMailbox();
    const { owner, alice, guest, realm: home } = await realm();
    await succeed(owner.patch('/realm', { name: '<b>Acme</b>' }));
    await invite(alice, 'ann@new.example');
    await sendMails('ann@new.example', mailbox.url);
    // Others of this address have been welcomed.
    const mail = (await mailbox.mails()).find(({ text }) => text?.includes(home.url));
    expect(mail).toMatchObject({
      to: [{ address: 'ann@new.example' }],
      subject: expect.stringContaining('Alice'),
    });
    const [, key = ''] = new RegExp(String.raw`${home.url}/join/([\w.-]+)/`).exec(mail?.text ?? '') ?? [];

    const browser = { accept: 'text/html' };
    const page = await askJoin(home, 'GET', key, {}, browser);
    expect([page.status, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    expect(page.headers['content-security-policy']).toContain("default-src 'none'");
    expect(page.text).toContain('&lt;b&gt;Acme&lt;/b&gt;');
    expect(page.text).not.toContain('<b>');
    const weak = await askJoin(home, 'POST', key, { full_name: 'Ann', password: 'ann' }, browser);
    expect([weak.status, weak.text]).toEqual([
      400,
      expect.stringContaining('This password is too easy to guess. Choose a longer one.'),
    ]);

    const listener = await guest.listen({ event_types: ['realm_user'] });
    const joined = await askJoin(home, 'POST', key, { full_name: 'Ann <i>', password }, browser);
    expect(joined.text).toContain('This name contains characters that are not allowed.');
    expect((await askJoin(home, 'POST', key, { full_name: 'Ann', password }, browser)).status).toBe(200);
    expect(await listener.hears()).toMatchObject([{ op: 'add', person: { full_name: 'Ann', role: 400 } }]);
    const login = { username: 'ann@new.example', password };
    expect((await alice.ask('POST', '/fetch_api_key', login, { authorization: null })).body).toMatchObject({
      result: 'success',
    });
    expect((await askJoin(home, 'POST', key, { full_name: 'Ann', password }, browser)).text).toContain(
      'has been used',
    );
    expect((await alice.get('/invites')).invites).toEqual([]);
  });

  test('gives role, channels and default channels as they were offered', async () => {
    const { owner, realm: home } = await realm();
    const [first, second, ended] = [
      await createChannel(owner, 'first'),
      await createChannel(owner, 'second', [owner], { invite_only: true }),
      await createChannel(owner, 'ended'),
    ];
    const preset = await createChannel(owner, 'preset');
    await succeed(owner.post('/default_streams', { stream_id: preset }));
    const stream_ids = [first, second, ended];
    const keys = [
      await invite(owner, 'a@new.example', { stream_ids, invite_as: 300 }),
      await invite(owner, 'b@new.example', { invite_as: 600, include_realm_default_subscriptions: true }),
      await invite(owner, 'c@new.example'),
    ];
    await succeed(owner.delete(`/streams/${ended}`));
    const people = [];
    for (const [index, key] of keys.entries())
      people.push(await acceptInvitation(home, key, `Number ${index}`));

    const accounts = await Promise.all(people.map(({ user_id }) => owner.get(`/users/${user_id}`)));
    expect(accounts.map(({ user }) => user.role)).toEqual([300, 600, 400]);
    const channels = await Promise.all(people.map(({ user_id }) => channelsOf(owner, user_id)));
    expect(channels).toEqual([[first, second], [preset], []]);
  });

  test('tells who invited, if they want it', async () => {
    const { alice, bob, realm: home } = await realm();
    const listeners = await Promise.all(
      [alice, bob].map((person) => person.listen({ event_types: ['message'] })),
    );
    const keys = [
      await invite(alice, 'a@new.example'),
      await invite(bob, 'b@new.example', { notify_referrer_on_join: false }),
    ];
    for (const key of keys) await acceptInvitation(home, key, 'Ann');
    const heard = await Promise.all(listeners.map((listener) => listener.hears()));
    expect(heard).toMatchObject([
      [{ message: { type: 'private', content: expect.stringContaining('Ann') } }],
      [],
    ]);
  });

  test('brings the welcome that an administrator wrote for it, or that of everyone', async () => {
    const { admin, alice, realm: home } = await realm();
    await succeed(admin.patch('/realm', { welcome_message_custom_text: 'Hello all.' }));
    const { sql: database } = await getWorld();
    const welcomeOf = async (email: string, more: Params = {}) => {
      const key = await invite(admin, email, more);
      const { user_id } = await acceptInvitation(home, key, 'Ann');
      const [row] = await database<{ content: string }[]>`
        select m.content from messages m
        join conversation_members c on c.conversation_id = m.conversation_id and c.user_id = ${user_id}
        join users u on u.id = m.sender_id and u.is_system
        order by m.id limit 1`;
      return row?.content;
    };
    expect(await welcomeOf('a@new.example')).toContain('Hello all.');
    const own = await welcomeOf('b@new.example', { welcome_message_custom_text: ' Hello Bea. ' });
    expect(own).toContain('Hello Bea.');
    expect(own).not.toContain('Hello all.');
    expect(await welcomeOf('c@new.example', { welcome_message_custom_text: '' })).not.toContain('Hello');
    const ask = (by: Person, text: string) =>
      by.post('/invites', {
        invitee_emails: 'd@new.example',
        stream_ids: [],
        welcome_message_custom_text: text,
      });
    expect(await ask(alice, 'x')).toMatchObject({
      msg: 'Only administrators of the organization can do this.',
    });
    expect((await ask(admin, 'x'.repeat(8001))).msg).toContain('at most 8000 characters');
    await succeed(ask(admin, 'x'.repeat(8000)));
  });

  test('is void when it is old, revoked, forged, of another organization, or of who may not give it', async () => {
    const { owner, admin, alice, realm: home } = await realm();
    const refusal = async (key: string, differing = {}): Promise<Json> => {
      const { status, body } = await askJoin(home, 'POST', key, { full_name: 'A', password }, differing);
      return [status, body.code, body.msg];
    };
    const key = await invite(alice, 'a@new.example', { invite_expires_in_minutes: 1 });
    const later = await (await getWorld()).startApi({ clock: { nowMs: () => Date.now() + 61_000 } });
    open.push(later);
    const old = [400, 'BAD_REQUEST', 'This invitation has expired.'];
    expect(await refusal(key, { port: later.port })).toEqual(old);
    const [{ id }] = (await alice.get('/invites')).invites;
    await succeed(alice.delete(`/invites/${id}`));
    const revoked = [400, 'BAD_REQUEST', 'This invitation has been revoked.'];
    expect(await refusal(key)).toEqual(revoked);

    const invalid = [404, 'NOT_FOUND', 'This invitation link is not valid.'];
    const forged = key.replace(/\d+/, (digits) => String(Number(digits) + 1));
    for (const wrong of [forged, `${key}x`, '1.2', '%00'])
      expect(await refusal(wrong), wrong).toEqual(invalid);
    const { alice: stranger } = await realm();
    expect(await refusal(await invite(stranger, 'b@new.example'))).toEqual(invalid);

    const byAdmin = await invite(admin, 'c@new.example', { invite_as: 200 });
    await succeed(owner.patch(`/users/${admin.id}`, { role: 400 }));
    expect(await refusal(byAdmin)).toEqual(revoked);
    const last = await invite(alice, 'd@new.example');
    await succeed(owner.post('/realm/deactivate'));
    expect((await refusal(last))[1]).toBe('REALM_DEACTIVATED');
  });

  test('makes one account of an address, whoever else invited it and whoever else comes', async () => {
    const { owner, alice, bob, realm: home } = await realm();
    const [one, other] = [await invite(alice, 'a@new.example'), await invite(bob, 'A@new.example')];
    const accept = (key: string) => askJoin(home, 'POST', key, { full_name: 'Ann', password });
    const replies = await Promise.all([accept(one), accept(other), accept(one)]);
    expect(replies.filter(({ status }) => status === 200)).toHaveLength(1);
    expect((await owner.get('/invites')).invites).toEqual([]);

    const late = await invite(alice, 'b@new.example');
    await succeed(owner.post('/realm/domains', { domain: 'acme.example', allow_subdomains: false }));
    await succeed(owner.patch('/realm', { emails_restricted_to_domains: true }));
    expect((await accept(late)).body.msg).toBe(
      "This organization does not accept the email address 'b@new.example'. Use one of its domains.",
    );
  });
});

describe('a link for anybody', () => {
  test('mails an invitation to the address that somebody says is theirs', async () => {
    await using mailbox = await startMailbox();
    const { owner, alice, realm: home } = await realm();
    const first = await createChannel(owner, 'first');
    const { invite_link: link } = await succeed(
      owner.post('/invites/multiuse', { stream_ids: [first], invite_as: 600 }),
    );
    const [, key = ''] = /\/join\/(.+)\/$/.exec(link) ?? [];
    const page = await askJoin(home, 'GET', key, {}, { accept: 'text/html' });
    expect(page.text).toContain('name="email"');
    for (const email of ['nobody', 'x@mailinator.com']) {
      expect((await askJoin(home, 'POST', key, { email })).body).toMatchObject({ code: 'BAD_REQUEST' });
    }
    await joinByLink(home, link, 'linked@new.example');
    await joinByLink(home, link, 'LINKED@new.example');
    expect(await mailsTo('linked@new.example'), 'asked again, sent again').toHaveLength(2);
    await joinByLink(home, link, alice.email);
    await sendMails('linked@new.example', mailbox.url);
    await sendMails(alice.email, mailbox.url);
    expect((await mailbox.mails()).map(({ subject }) => subject?.split(' ')[0])).toEqual([
      'Join',
      'Join',
      'You',
    ]);
    expect((await owner.get('/invites')).invites).toHaveLength(1);

    const own = await invitationKeyOf('linked@new.example');
    const { user_id: id } = await acceptInvitation(home, own, 'Ann');
    expect((await owner.get(`/users/${id}`)).user.role).toBe(600);
    expect(await channelsOf(owner, id)).toEqual([first]);
    await joinByLink(home, link, 'ben@new.example');

    await succeed(owner.delete(`/invites/multiuse/${(await owner.get('/invites')).invites[0].id}`));
    expect((await askJoin(home, 'POST', key, { email: 'cy@new.example' })).body.msg).toBe(
      'This invitation has been revoked.',
    );
    const bens = await invitationKeyOf('ben@new.example');
    expect((await askJoin(home, 'GET', bens)).status, 'what was asked for by it ends with it').toBe(400);
    await sendMails('ben@new.example', mailbox.url);
    expect(await mailbox.mails()).toHaveLength(3);
  });

  test('sends few mails', async () => {
    const { owner, realm: home } = await realm();
    const { invite_link: link } = await succeed(owner.post('/invites/multiuse'));
    const [, key = ''] = /\/join\/(.+)\/$/.exec(link) ?? [];
    for (let mails = 0; mails < 10; mails += 1) await joinByLink(home, link, 'ann@new.example');
    expect((await askJoin(home, 'POST', key, { email: 'ann@new.example' })).body).toMatchObject({
      code: 'BAD_REQUEST',
    });
    const strict = await (await getWorld()).startApi({ invitationsPerDay: 1 });
    const silent = await (await getWorld()).startApi({ canSendMail: false });
    open.push(strict, silent);
    for (const { port } of [strict, silent]) {
      const reply = await askJoin(home, 'POST', key, { email: 'ben@new.example' }, { port });
      expect(reply.body).toMatchObject({ code: 'BAD_REQUEST' });
    }
  });
});

test('invitations are forgotten a month after they ended', async () => {
  const { alice, realm: home } = await realm();
  const key = await invite(alice, 'a@new.example', { invite_expires_in_minutes: 1 });
  const endless = await invite(alice, 'b@new.example', { invite_expires_in_minutes: 'null' });
  const after = (days: number) =>
    runRecurring('sweep-mails', { clock: { nowMs: () => Date.now() + days * 86_400_000 } });
  const statusOf = async (one: string) => (await askJoin(home, 'GET', one)).status;
  await after(29);
  expect(await statusOf(key)).toBe(200);
  await after(31);
  expect([await statusOf(key), await statusOf(endless)]).toEqual([404, 200]);
});
