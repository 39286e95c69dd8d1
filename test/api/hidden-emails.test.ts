import { expect, test } from 'vitest';

import {
  type Json,
  type Person,
  emptyChannel,
  letSpectatorsIn,
  realm,
  say,
  succeed,
} from '../support/index.ts';

/** Each way of naming a user by email address, and the reply of it. */
const waysOfNaming: Record<string, (asker: Person, email: string) => Promise<Json>> = {
  'GET /users/{email}': (asker, email) => asker.get(`/users/${email}`),
  'GET /users/{email}/presence': (asker, email) => asker.get(`/users/${email}/presence`),
  'a direct message': (asker, email) =>
    asker.post('/messages', { type: 'direct', to: [email], content: 'Hello' }),
  principals: (asker, email) =>
    asker.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'general' }],
      principals: [email],
    }),
  ...Object.fromEntries(
    ['sender', 'dm', 'dm-including', 'group-pm-with'].map((operator) => [
      `the narrow ${operator}:`,
      (asker: Person, email: string) =>
        asker.get('/messages', { ...page, narrow: [{ operator, operand: email }] }),
    ]),
  ),
};

const page = { anchor: 'newest', num_before: 10, num_after: 0 };
const nobodys = 'nobody@nowhere.example';
/** A reply, without what was asked. */
const withoutAddress = (reply: Json, email: string) => JSON.stringify(reply).replaceAll(email, 'address');

test.each(Object.keys(waysOfNaming))('a hidden address is one that nobody has: %s', async (way) => {
  const ask = waysOfNaming[way];
  if (!ask) throw new Error(`There is no way ${way}.`);
  const { alice, bob, admin, moderator } = await realm();
  await succeed(alice.post('/messages', { type: 'direct', to: [bob.id], content: 'Hi' }));
  await succeed(alice.post('/users/me/presence', { status: 'active' }));
  await succeed(alice.patch('/settings', { email_address_visibility: 3 }));

  expect(withoutAddress(await ask(bob, alice.email), alice.email)).toBe(
    withoutAddress(await ask(bob, nobodys), nobodys),
  );
  expect((await ask(moderator, alice.email.toUpperCase())).result).toBe('error');
  expect((await ask(admin, alice.email)).result, 'an administrator may see it').toBe('success');
  expect((await ask(alice, alice.email)).result, 'it is her own').toBe('success');
  const placeholder = `user${alice.id}@${alice.realm.emailDomain}`;
  expect((await ask(bob, placeholder)).result, 'the placeholder is for everyone').toBe('success');
  const elsewhere = await ask(bob, `user${alice.id}@${nobodys}`);
  expect(elsewhere.result, 'a placeholder of another domain is no address').toBe('error');
});

test('a hidden email address does not resolve without an account either', async () => {
  const home = await realm();
  const { owner, alice, bob } = home;
  await letSpectatorsIn(home);
  await emptyChannel(owner, 'world', [owner, alice], { is_web_public: true });
  await say(alice, 'world', 't', 'Hello');
  await succeed(alice.patch('/settings', { email_address_visibility: 4 }));

  const ask = async (operand: string) => {
    const narrow = [['channels', 'web-public'], { operator: 'sender', operand }];
    return (await bob.ask('GET', '/messages', { ...page, narrow }, { authorization: null })).body;
  };
  expect(await ask(alice.email)).toMatchObject({ code: 'BAD_NARROW' });
  const placeholder = `user${alice.id}@${home.realm.emailDomain}`;
  expect(await ask(placeholder)).toMatchObject({ messages: [{ sender_id: alice.id }] });
});
