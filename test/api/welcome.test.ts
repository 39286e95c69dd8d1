import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  type TestRealm,
  letManageAccounts,
  mailsTo,
  getWorld,
  realm,
  sendMails,
  startMailbox,
  succeed,
} from '../support/index.ts';
import { keyOf, personOf } from '../support/person.ts';

/** Somebody whose account was made for them, as POST /users does. */
async function newcomer({ owner, realm: home }: TestRealm, email: string): Promise<Person> {
  await letManageAccounts(owner);
  const account = { email, password: 'a long password, of words', full_name: 'Newcomer' };
  const { user_id } = await succeed(owner.post('/users', account));
  const { engine, secret } = await getWorld();
  const row = await engine.db.query.users.findFirst({ where: ({ id }, { eq }) => eq(id, user_id) });
  if (!row) throw new Error('The account is missing.');
  return personOf(row, home, keyOf(secret, row));
}

const read = async (by: Person): Promise<Json[]> =>
  (await by.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false }))
    .messages;

describe('a new account', () => {
  test('gets its first direct message from the welcome bot, unread, with the organization’s text', async () => {
    const people = await realm();
    const text = 'Tea is at five.\n```\nIn the kitchen.';
    await succeed(people.owner.patch('/realm', { welcome_message_custom_text: text }));
    const person = await newcomer(people, 'new@comer.example');
    const state = await person.post('/register');
    const bot = state.cross_realm_bots.find(({ full_name }: Json) => full_name === 'Welcome Bot');
    const messages = await read(person);
    expect(messages).toMatchObject([{ sender_id: bot.user_id, type: 'private' }]);
    expect(messages[0].content).toMatch(/^Welcome to The /);
    expect(messages[0].content).toContain(`\`\`\`\`quote\n${text}\n\`\`\`\``);
    expect(state.unread_msgs).toMatchObject({
      count: 1,
      pms: [{ other_user_id: bot.user_id, unread_message_ids: [messages[0].id] }],
    });
    await succeed(person.post('/messages', { type: 'direct', to: [bot.user_id], content: 'Thanks!' }));
  });

  test('gets a mail where the organization wants that', async () => {
    const people = await realm();
    const { owner, realm: home } = people;
    await using mailbox = await startMailbox();
    const [one, two] = [`one@${home.name}.example`, `two@${home.name}.example`];
    await newcomer(people, one);
    expect(await sendMails(one, mailbox.url)).toBe(1);
    expect(await mailbox.mails()).toMatchObject([
      {
        to: [{ address: one }],
        subject: expect.stringMatching(/^Welcome to The /),
        text: expect.stringContaining(home.url),
      },
    ]);
    await succeed(owner.patch('/realm', { send_welcome_emails: false }));
    await newcomer(people, two);
    expect(await mailsTo(two)).toEqual([]);
  });
});

describe('POST /realm/test_welcome_bot_custom_message', () => {
  test('sends an administrator what newcomers would get', async () => {
    const { admin, alice } = await realm();
    const send = (by: Person, text: string) =>
      by.post('/realm/test_welcome_bot_custom_message', { welcome_message_custom_text: text });
    const { message_id } = await succeed(send(admin, 'Tea is at five.'));
    expect(await read(admin)).toMatchObject([
      { id: message_id, content: expect.stringContaining('Tea is at five.') },
    ]);
    expect(await send(alice, 'x')).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
    for (const text of [' ', 'x'.repeat(8001)])
      expect(await send(admin, text)).toMatchObject({ code: 'BAD_REQUEST' });
    expect((await read(admin)).length).toBe(1);
  });
});
