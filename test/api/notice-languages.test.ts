import { expect, test } from 'vitest';

import { type Json, type Person, realm, say, subscribe, succeed } from '../support/index.ts';

const speak = (who: Person, language: string) =>
  succeed(who.patch('/settings', { default_language: language }));

/** What the newest messages say that somebody may read, oldest first. */
async function textsFor(who: Person): Promise<string[]> {
  const { messages } = await who.get('/messages', {
    anchor: 'newest',
    num_before: 20,
    num_after: 0,
    apply_markdown: false,
  });
  return messages.map(({ content }: Json) => content);
}

test('a notice that many read is in the language of the organization, in which it is taken back too', async () => {
  const { owner, alice, bob } = await realm();
  await succeed(owner.patch('/realm', { default_language: 'de' }));
  await speak(alice, 'fr');
  await subscribe(alice, 'news', [alice, bob]);
  const id = await say(alice, 'news', 'lunch');
  const rename = (topic: string) =>
    succeed(alice.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' }));
  await rename('✔ lunch');
  const who = `@_**Alice|${alice.id}**`;
  expect(await textsFor(bob)).toContain(`${who} hat dieses Thema als gelöst markiert.`);
  await rename('lunch');
  expect((await textsFor(bob)).filter((text) => text.includes('gelöst'))).toEqual([]);
  await rename('dinner');
  expect(await textsFor(bob)).toContain(
    `Dieses Thema wurde von ${who} aus #**news>lunch** hierher verschoben.`,
  );
});

test('a notice to one person is in their language, whoever caused it', async () => {
  const { alice, bob, carol } = await realm();
  await speak(bob, 'ar');
  await subscribe(alice, 'news', [alice]);
  await subscribe(alice, 'news', [bob, carol], {}, true);
  const who = `@_**Alice|${alice.id}**`;
  const arabic = (await textsFor(bob)).at(-1);
  expect(arabic).toMatch(/^\p{Script=Arabic}+ /u);
  expect(arabic).toContain(' #**news** ');
  expect(arabic).toContain(who);
  expect((await textsFor(carol)).at(-1)).toBe(`${who} subscribed you to the channel #**news**.`);
});

test('a welcome is in the language of the account', async () => {
  const { admin } = await realm();
  await speak(admin, 'es');
  const custom = { welcome_message_custom_text: '¿Té?' };
  await succeed(admin.post('/realm/test_welcome_bot_custom_message', custom));
  expect((await textsFor(admin)).at(-1)).toMatch(/^¡Te damos la bienvenida a .*¿Té\?/s);
});
