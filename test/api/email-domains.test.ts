import { describe, expect, test } from 'vitest';

import {
  type Person,
  confirmEmail,
  confirmationPath,
  letManageAccounts,
  mailsTo,
  realm,
  sendMails,
  startMailbox,
  succeed,
} from '../support/index.ts';

const password = 'correct horse battery staple';

const create = (by: Person, email: string) => by.post('/users', { email, password, full_name: 'Somebody' });

describe('/realm/domains', () => {
  test('is a list that owners keep and everybody is told of', async () => {
    const { owner, admin, guest } = await realm();
    const listener = await guest.listen({ event_types: ['realm_domains', 'realm'] });
    const list = async () => (await succeed(guest.get('/realm/domains'))).domains;
    expect(await list()).toEqual([]);

    const added = await owner.post('/realm/domains', { domain: ' Acme.Example ', allow_subdomains: false });
    expect(added).toMatchObject({ result: 'success', new_domain: [expect.any(Number), 'acme.example'] });
    await succeed(owner.patch('/realm/domains/ACME.example', { allow_subdomains: true }));
    expect(await list()).toEqual([{ domain: 'acme.example', allow_subdomains: true }]);
    const state = await guest.post('/register', { fetch_event_types: ['realm_domains'] });
    expect(state.realm_domains).toEqual(await list());

    expect(await admin.delete('/realm/domains/acme.example')).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    await succeed(owner.patch('/realm', { emails_restricted_to_domains: true }));
    await succeed(owner.delete('/realm/domains/acme.example'));
    expect(await list()).toEqual([]);
    const domain = 'acme.example';
    expect(await listener.hears()).toMatchObject([
      { type: 'realm_domains', op: 'add', realm_domain: { domain, allow_subdomains: false } },
      { type: 'realm_domains', op: 'change', realm_domain: { domain, allow_subdomains: true } },
      { type: 'realm', property: 'emails_restricted_to_domains', value: true },
      { type: 'realm_domains', op: 'remove', domain },
      { type: 'realm', property: 'emails_restricted_to_domains', value: false },
    ]);
  });

  test('takes domains, each once, and changes only those that it has', async () => {
    const { owner } = await realm();
    for (const domain of ['acme', '-acme.example', 'a@b.example', '.example', 'acme..example', '']) {
      const reply = await owner.post('/realm/domains', { domain, allow_subdomains: false });
      expect(reply, domain).toMatchObject({ code: 'BAD_REQUEST', msg: `This is not a domain: ${domain}` });
    }
    const add = () => owner.post('/realm/domains', { domain: 'acme.example', allow_subdomains: false });
    const replies = await Promise.all([add(), add()]);
    expect(replies.filter(({ result }) => result === 'success')).toHaveLength(1);
    expect((await add()).msg).toBe("acme.example is already one of your organization's domains.");
    const missing = { code: 'BAD_REQUEST', msg: "other.example is not one of your organization's domains." };
    expect(await owner.delete('/realm/domains/other.example')).toMatchObject(missing);
    expect(await owner.patch('/realm/domains/other.example', { allow_subdomains: true })).toMatchObject(
      missing,
    );
  });
});

describe('a new email address', () => {
  test('is of a domain of the organization, where it keeps to them', async () => {
    const { owner, alice } = await realm();
    await letManageAccounts(owner);
    const add = (domain: string, allow_subdomains: boolean) =>
      succeed(owner.post('/realm/domains', { domain, allow_subdomains }));
    await add('acme.example', false);
    await add('wide.example', true);
    await succeed(owner.patch('/realm', { emails_restricted_to_domains: true }));

    for (const email of ['a@ACME.example', 'b@wide.example', 'c@deep.down.wide.example']) {
      await succeed(create(owner, email));
    }
    for (const email of ['a@sub.acme.example', 'a@notwide.example', 'a@example']) {
      expect(await create(owner, email), email).toMatchObject({ code: 'BAD_REQUEST' });
    }
    const elsewhere = 'alice@elsewhere.example';
    const refusal = `This organization does not accept the email address '${elsewhere}'. Use one of its domains.`;
    expect(await create(owner, elsewhere)).toMatchObject({ msg: refusal });
    expect(await create(owner, 'a+b@acme.example')).toMatchObject({
      msg: 'This organization does not accept email addresses with a plus sign.',
    });
    expect(await alice.patch('/settings', { email: elsewhere })).toMatchObject({ msg: refusal });
    expect(await owner.patch(`/users/${alice.id}`, { new_email: elsewhere })).toMatchObject({
      msg: `The email address was not changed: ${refusal}`,
    });
    await succeed(alice.patch('/settings', { email: 'alice@acme.example' }));
    await succeed(owner.delete('/realm/domains/acme.example'));
    const path = await confirmationPath(alice);
    expect((await confirmEmail(alice, path)).status, 'meanwhile refused').toBe(400);
    // Bots have addresses of the organization's own host.
    await succeed(alice.post('/bots', { full_name: 'Helper', short_name: 'helper' }));
  });

  test('is none that is handed out to be thrown away, unless the organization says so', async () => {
    const { owner, alice } = await realm();
    await letManageAccounts(owner);
    const disposable = ['a@mailinator.com', 'a@sub.mailinator.com', 'a@MAILINATOR.com'];
    const refusal = 'This organization does not accept disposable email addresses.';
    for (const email of disposable) {
      expect(await create(owner, email), email).toMatchObject({ code: 'BAD_REQUEST', msg: refusal });
      expect(await alice.patch('/settings', { email }), email).toMatchObject({ msg: refusal });
    }
    await succeed(owner.patch('/realm', { disallow_disposable_email_addresses: false }));
    await succeed(create(owner, 'a@mailinator.com'));
  });
});

describe('the address that an account had', () => {
  test('is told of the new one, whoever changed it', async () => {
    await using mailbox = await startMailbox();
    const { owner, alice, bob } = await realm();
    await letManageAccounts(owner);
    await succeed(owner.patch(`/users/${alice.id}`, { new_email: 'alice@new.example' }));
    await succeed(bob.patch('/settings', { email: 'bob@new.example' }));
    expect(await mailsTo(bob.email), 'not before it is confirmed').toEqual([]);
    const path = await confirmationPath(bob);
    expect((await confirmEmail(bob, path)).status).toBe(200);

    for (const { email } of [alice, bob]) {
      expect(await sendMails(email, mailbox.url)).toBe(1);
      expect(await sendMails(email, mailbox.url), 'it is sent once').toBe(0);
    }
    expect(await mailbox.mails()).toMatchObject([
      { to: [{ address: alice.email }], text: expect.stringContaining('alice@new.example') },
      { to: [{ address: bob.email }], text: expect.stringContaining('bob@new.example') },
    ]);
  });
});
