import * as actions from '@parley/actions';
import { expect, test } from 'vitest';

import {
  type Event,
  type Json,
  type Person,
  getWorld,
  linkTo,
  makeOlder,
  realm,
  restoreDeleted,
  runRecurring,
  say,
  subscribe,
  succeed,
  tell,
  upload,
} from '../support/index.ts';

const seen = async (who: Person): Promise<Json[]> =>
  (await succeed(who.get('/messages', { anchor: 'newest', num_before: 100 }))).messages;

test('deleted messages come back as they were, and those who had them are sent them', async () => {
  const { realm: home, owner, alice, bob, carol } = await realm();
  await subscribe(alice, 'news', [alice, bob]);
  const url = await upload(alice);
  const first = await say(alice, 'news', 't', `@**Bob** ${linkTo(url)}`);
  const second = await say(bob, 'news', 't', 'a reply');
  const letter = await tell(alice, [bob], 'a letter');
  await succeed(bob.post(`/messages/${first}/reactions`, { emoji_name: 'octopus' }));
  await succeed(bob.post('/messages/flags', { messages: [first], op: 'add', flag: 'starred' }));
  await succeed(bob.patch(`/messages/${second}`, { content: 'a better reply' }));
  const before = await seen(bob);
  const counted = await succeed(alice.get('/attachments'));
  await subscribe(carol, 'news', [carol]);
  for (const id of [first, second]) await succeed(owner.delete(`/messages/${id}`));
  await succeed(alice.delete(`/messages/${letter}`));
  expect((await seen(bob)).length).toBeLessThan(before.length);

  const [phone, stranger] = [await bob.listen(), await carol.listen()];
  expect(await restoreDeleted(home)).toMatchObject({ tooOld: 0, next: null });
  const after = await seen(bob);
  const asRead = (one: Json) => ({ ...one, flags: new Set([...one.flags, 'read']) });
  expect(after.map(asRead)).toEqual(before.map(asRead));
  expect(after.every(({ flags }) => flags.includes('read'))).toBe(true);
  expect(await succeed(alice.get('/attachments'))).toEqual(counted);
  const sent = (heard: Event[]) =>
    heard.filter(({ type }) => type === 'message').map((one: Json) => one.message.id);
  const heard = await phone.hears();
  expect(sent(heard)).toContain(first);
  expect(heard).toContainEqual(
    expect.objectContaining({ type: 'update_message_flags', flag: 'starred', messages: [first] }),
  );
  expect(sent(await stranger.hears())).toEqual([]);
  const next = await say(alice, 'news', 't', 'goes on');
  expect((await seen(bob)).at(-1)?.id).toBe(next);
  expect(await restoreDeleted(home)).toMatchObject({ restored: 0 });
});

test('what would be deleted again at once stays in the archive', async () => {
  const { realm: home, owner, alice } = await realm();
  await subscribe(alice, 'news');
  const id = await say(alice, 'news', 't', 'old');
  await makeOlder(alice, id, 40 * 86_400);
  await succeed(owner.patch('/realm', { message_retention_days: 30 }));
  await runRecurring('expire-messages');
  expect(await restoreDeleted(home)).toMatchObject({ restored: 0, tooOld: 1 });
  await succeed(owner.patch('/realm', { message_retention_days: '"unlimited"' }));
  expect(await restoreDeleted(home)).toMatchObject({ restored: 1, tooOld: 0 });
  expect((await seen(alice)).map((one) => one.id)).toEqual([id]);
});

test('a channel’s messages come back alone, batch by batch', async () => {
  const { realm: home, alice } = await realm();
  const { engine } = await getWorld();
  for (const name of ['one', 'two']) await subscribe(alice, name);
  const ids: number[] = [];
  for (const name of ['one', 'two', 'one', 'one']) ids.push(await say(alice, name, 't', 'x'));
  for (const id of ids) await succeed(alice.delete(`/messages/${id}`));
  const { streams } = await succeed(alice.get('/streams'));
  const channelId = streams.find((one: Json) => one.name === 'one').stream_id as number;
  const since = new Date(Date.now() - 60_000);
  let [after, batches]: [number | null, number] = [0, 0];
  while (after !== null) {
    const from: number = after;
    const { next } = await engine.perform(home.id, actions.messages.restore, {
      realm: home,
      since,
      channelId,
      after: from,
      max: 2,
      now: new Date(),
    });
    after = next;
    batches += 1;
  }
  expect(batches).toBe(2);
  expect((await seen(alice)).map((one) => one.id)).toEqual([ids[0], ids[2], ids[3]]);
});
