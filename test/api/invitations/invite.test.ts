import { afterEach, describe, expect, test } from 'vitest';

import {
  type Params,
  type Person,
  createChannel,
  getWorld,
  mailsTo,
  permit,
  realm,
  succeed,
} from '../../support/index.ts';

const open: AsyncDisposable[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one[Symbol.asyncDispose]();
});

const invite = (by: Person, emails: string, more: Params = {}) =>
  by.post('/invites', { invitee_emails: emails, stream_ids: [], ...more });

const failed = (errors: [string, string, boolean][], more: object = {}) => ({
  code: 'INVITATION_FAILED',
  errors,
  sent_invitations: false,
  license_limit_reached: false,
  daily_limit_reached: false,
  ...more,
});

describe('POST /invites', () => {
  test('mails everyone in the list, and lists them for administrators and who invited', async () => {
    const { alice, bob, admin } = await realm();
    const listeners = await Promise.all(
      [alice, bob, admin].map((person) => person.listen({ event_types: ['invites_changed'] })),
    );
    const emails = 'Ann <ann@new.example>, ben@new.example\n\n"C" <cy@new.example>\nBEN@new.example';
    await succeed(invite(alice, emails, { invite_expires_in_minutes: 60, notify_referrer_on_join: false }));

    const { invites } = await succeed(alice.get('/invites'));
    const one = {
      id: expect.any(Number),
      invited_by_user_id: alice.id,
      invited: expect.any(Number),
      expiry_date: expect.any(Number),
      invited_as: 400,
      is_multiuse: false,
      notify_referrer_on_join: false,
    };
    expect(invites).toEqual(
      ['cy@new.example', 'BEN@new.example', 'ann@new.example'].map((email) => ({ ...one, email })),
    );
    expect(invites[0].expiry_date - invites[0].invited).toBe(3600);
    expect((await admin.get('/invites')).invites).toEqual(invites);
    expect((await bob.get('/invites')).invites).toEqual([]);
    const heard = await Promise.all(listeners.map((listener) => listener.hears()));
    expect(heard.map((events) => events.map(({ type }) => type))).toEqual([
      ['invites_changed'],
      [],
      ['invites_changed'],
    ]);
    for (const { email } of invites) expect(await mailsTo(email)).toHaveLength(1);
  });

  test('says who is not invited, and invites nobody if an address cannot be', async () => {
    const { alice, bob, owner, join } = await realm();
    const gone = await join({ name: 'Gone' });
    await succeed(owner.delete(`/users/${gone.id}`));
    const has: [string, string, boolean] = [bob.email, 'Already has an account.', false];
    const isGone: [string, string, boolean] = [gone.email, 'Account is deactivated.', true];

    expect(await invite(alice, `${bob.email},${gone.email}`)).toMatchObject(failed([has, isGone]));
    const disposable = 'This organization does not accept disposable email addresses.';
    expect(await invite(alice, `fine@new.example,nobody,x@mailinator.com,${bob.email}`)).toMatchObject(
      failed([
        ['nobody', 'This is not a valid email address.', false],
        ['x@mailinator.com', disposable, false],
        has,
      ]),
    );
    const unstorable = 'a\0b@new.example';
    expect(await invite(alice, unstorable)).toMatchObject(
      failed([[unstorable, 'This is not a valid email address.', false]]),
    );
    expect((await alice.get('/invites')).invites).toEqual([]);
    expect(await invite(alice, ' ,\n')).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'Enter at least one email address.',
    });

    const partly = failed([has], { sent_invitations: true });
    expect(await invite(alice, `fine@new.example,${bob.email}`)).toMatchObject(partly);
    expect((await alice.get('/invites')).invites).toMatchObject([{ email: 'fine@new.example' }]);
  });

  test('keeps to who may invite whom, and where to', async () => {
    const { owner, admin, moderator, alice, guest, bot } = await realm();
    const secret = await createChannel(owner, 'secret', [owner], { invite_only: true });
    const refusal = (reply: { code?: string; msg: string }) => [reply.code, reply.msg];
    const administrator = ['BAD_REQUEST', 'Only administrators of the organization can do this.'];
    expect(refusal(await invite(moderator, 'a@new.example', { invite_as: 300 }))).toEqual(administrator);
    expect(refusal(await invite(alice, 'a@new.example', { invite_as: 200 }))).toEqual(administrator);
    expect(refusal(await invite(admin, 'a@new.example', { invite_as: 100 }))).toEqual([
      'UNAUTHORIZED_PRINCIPAL',
      'Only owners of the organization can do this.',
    ]);
    expect(await invite(alice, 'a@new.example', { invite_as: 500 })).toMatchObject({ code: 'BAD_REQUEST' });
    expect((await invite(alice, 'a@new.example', { stream_ids: [secret] })).msg).toBe(
      `Nobody was invited: there is no channel with the id ${secret}.`,
    );
    expect((await invite(guest, 'a@new.example')).msg).toBe('Guests cannot do this.');
    expect(await invite(bot, 'a@new.example')).toMatchObject({ code: 'BAD_REQUEST' });
    const group_ids = [2_000_000_000];
    expect((await invite(alice, 'a@new.example', { group_ids })).msg).toBe(
      'There is no user group with the id 2000000000.',
    );

    const hall = await createChannel(owner, 'hall', [owner]);
    await permit({ owner }, 'can_add_subscribers_group', 'role:administrators');
    expect((await invite(alice, 'a@new.example', { stream_ids: [hall] })).msg).toBe(
      'You do not have permission to subscribe other people to channels.',
    );
    await permit({ owner }, 'can_invite_users_group', 'role:administrators');
    expect(refusal(await invite(alice, 'a@new.example'))).toEqual([
      'BAD_REQUEST',
      'You do not have permission to do this.',
    ]);
    await succeed(invite(admin, 'a@new.example', { invite_as: 200, stream_ids: [hall] }));
    await succeed(invite(owner, 'b@new.example', { invite_as: 100 }));
  });

  test('has an end for a day, and none where no mail is sent', async () => {
    const { alice, bob } = await realm();
    const { startApi } = await getWorld();
    const strict = await startApi({ invitationsPerDay: 2 });
    const silent = await startApi({ canSendMail: false });
    open.push(strict, silent);
    const at = async (port: number, by: Person, invitee_emails: string) =>
      (await by.ask('POST', '/invites', { invitee_emails, stream_ids: [] }, { port })).body;
    await succeed(at(strict.port, alice, 'a@new.example'));
    const tooMany = failed([], { daily_limit_reached: true });
    expect(await at(strict.port, bob, 'b@new.example,c@new.example')).toMatchObject(tooMany);
    await succeed(at(strict.port, bob, 'b@new.example'));
    expect(await at(strict.port, alice, 'c@new.example')).toMatchObject(tooMany);
    expect(await at(silent.port, alice, 'c@new.example')).toMatchObject({ code: 'BAD_REQUEST' });
    const tomorrow = await startApi({
      invitationsPerDay: 2,
      clock: { nowMs: () => Date.now() + 86_401_000 },
    });
    open.push(tomorrow);
    await succeed(at(tomorrow.port, alice, 'c@new.example'));
  });
});

describe('an invitation', () => {
  test('is sent again and revoked by who made it and by administrators', async () => {
    const { alice, bob, admin, owner } = await realm();
    await succeed(invite(alice, 'amy@new.example'));
    await succeed(invite(owner, 'boss@new.example', { invite_as: 100 }));
    const [boss, ann] = (await admin.get('/invites')).invites;
    const resend = (by: Person, id: number) => by.post(`/invites/${id}/resend`);
    const revoke = (by: Person, id: number) => by.delete(`/invites/${id}`);
    const missing = { code: 'BAD_REQUEST', msg: 'This invitation does not exist.' };

    for (const act of [resend, revoke]) {
      expect(await act(bob, ann.id)).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
      expect(await act(admin, boss.id)).toMatchObject({
        msg: 'Only owners of the organization can do this.',
      });
      expect(await act(alice, 2_000_000_000)).toMatchObject(missing);
      expect(await act((await realm()).owner, ann.id)).toMatchObject(missing);
    }
    await succeed(resend(alice, ann.id));
    expect(await mailsTo('amy@new.example')).toHaveLength(2);
    for (let mails = 2; mails < 10; mails += 1) await succeed(resend(admin, ann.id));
    expect(await resend(alice, ann.id)).toMatchObject({ code: 'BAD_REQUEST' });

    await succeed(revoke(admin, ann.id));
    for (const act of [resend, revoke]) expect(await act(alice, ann.id)).toMatchObject(missing);
    expect((await alice.get('/invites')).invites).toEqual([]);
    expect(await alice.delete(`/invites/multiuse/${boss.id}`)).toMatchObject(missing);
  });

  test('ends with the account of who made it', async () => {
    const { owner, admin, join } = await realm();
    const gone = await join({ name: 'Gone' });
    await succeed(invite(gone, 'ann@new.example'));
    const listener = await admin.listen({ event_types: ['invites_changed'] });
    await succeed(owner.delete(`/users/${gone.id}`));
    expect((await admin.get('/invites')).invites).toEqual([]);
    expect(await listener.hears()).toHaveLength(1);
  });
});

describe('POST /invites/multiuse', () => {
  test('makes links, which are listed and revoked', async () => {
    const { owner, admin, alice } = await realm();
    expect((await alice.post('/invites/multiuse')).msg).toBe('You do not have permission to do this.');
    const { invite_link: link } = await succeed(
      admin.post('/invites/multiuse', { invite_as: 600, invite_expires_in_minutes: 'null' }),
    );
    expect(link).toMatch(new RegExp(String.raw`^${admin.realm.url}/join/\d+\.[\w-]{43}/$`));
    await succeed(owner.post('/invites/multiuse', { invite_as: 100 }));

    const { invites } = await admin.get('/invites');
    expect(invites, 'a link that makes owners is for owners').toEqual([
      {
        id: expect.any(Number),
        invited_by_user_id: admin.id,
        invited: expect.any(Number),
        expiry_date: null,
        invited_as: 600,
        is_multiuse: true,
        link_url: link,
      },
    ]);
    expect((await owner.get('/invites')).invites).toHaveLength(2);
    const [{ id }] = invites;
    expect(await admin.delete(`/invites/${id}`)).toMatchObject({ msg: 'This invitation does not exist.' });
    await succeed(owner.delete(`/invites/multiuse/${id}`));
    expect(await owner.delete(`/invites/multiuse/${id}`)).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'This invitation has already been revoked.',
    });
  });
});
