import { describe, expect, test } from 'vitest';

import { arePreviewsDue, setOldRendering, subscribe, succeed, tell } from '../../support/index.ts';
import {
  day,
  edit,
  htmlOf,
  later,
  linkTo,
  realmWithPreviews,
  storyHead,
  startPreviewPages,
} from './preview-pages.ts';

const { publish, look, previewOf } = await startPreviewPages();

describe('the page that a message links to', () => {
  test('is shown below it, and whoever received it hears of it as of another rendering', async () => {
    const { alice, bob, carol } = await realmWithPreviews();
    const url = publish(storyHead);
    const sent = { type: 'direct', to: [bob.id], content: `see ${url}`, read_by_sender: true };
    const { id } = await alice.post('/messages', sent);
    expect(await htmlOf(bob, id)).not.toContain('message_embed');
    const [phone, own, stranger] = [await bob.listen(), await alice.listen(), await carol.listen()];

    expect(await look(alice, id)).toEqual({ looked: 1, shown: 1 });

    const html = `<p>see <a href="${url}">${url}</a></p>\n${previewOf(url)}`;
    expect(await phone.hears()).toEqual([
      {
        id: expect.any(Number),
        type: 'update_message',
        user_id: null,
        rendering_only: true,
        message_id: id,
        message_ids: [id],
        edit_timestamp: expect.any(Number),
        content: `see ${url}`,
        rendered_content: html,
        flags: [],
      },
    ]);
    expect(await own.hears()).toMatchObject([{ rendering_only: true, flags: ['read'] }]);
    expect(await stranger.hears()).toEqual([]);
    const { message } = await bob.get(`/messages/${id}`);
    expect(message).toMatchObject({ content: html, flags: [] });
    expect(message).not.toHaveProperty('edit_history');
    expect(message).not.toHaveProperty('last_edit_timestamp');
  });

  test('is shown in channels to all who hear of its messages', async () => {
    const { alice, bob, carol, guest } = await realmWithPreviews();
    await subscribe(alice, 'news', [alice, bob]);
    const { id } = await alice.post('/messages', {
      type: 'channel',
      to: 'news',
      topic: 't',
      content: publish(storyHead),
    });
    await subscribe(carol, 'news', [carol]);
    const listeners = await Promise.all([alice, bob, carol, guest].map((who) => who.listen()));
    await look(alice, id);
    const heard = await Promise.all(listeners.map((listener) => listener.hears()));
    expect(heard.map((events) => events.map(({ type }) => type))).toEqual([
      ['update_message'],
      ['update_message'],
      ['update_message'],
      [],
    ]);
    // No channel and no topic: clients would take it for a move.
    expect(Object.keys(heard[1]?.[0] ?? {}).sort()).toEqual([
      'content',
      'edit_timestamp',
      'flags',
      'id',
      'message_id',
      'message_ids',
      'rendered_content',
      'rendering_only',
      'type',
      'user_id',
    ]);
  });

  test('a page in a channel with protected history is shown to those who received the message', async () => {
    const { moderator, alice, bob, carol } = await realmWithPreviews();
    const more = { invite_only: true, history_public_to_subscribers: false };
    await subscribe(moderator, 'secret', [alice, bob], more);
    const { id } = await alice.post('/messages', {
      type: 'channel',
      to: 'secret',
      topic: 't',
      content: publish(storyHead),
    });
    await subscribe(alice, 'secret', [carol]);
    const [phone, late] = [await bob.listen(), await carol.listen()];
    await look(alice, id);
    expect(await phone.hears()).toMatchObject([{ message_id: id }]);
    expect(await late.hears()).toEqual([]);
  });

  test('is shown although its sender has left', async () => {
    const { owner, moderator, alice, bob } = await realmWithPreviews();
    await subscribe(moderator, 'secret', [alice, bob], { invite_only: true });
    const { id } = await alice.post('/messages', {
      type: 'channel',
      to: 'secret',
      topic: 't',
      content: publish(storyHead),
    });
    await succeed(alice.delete('/users/me/subscriptions', { subscriptions: ['secret'] }));
    await succeed(owner.delete(`/users/${alice.id}`));
    await look(alice, id);
    expect(await htmlOf(bob, id)).toContain('message_embed');
  });

  test('is looked at once, and once a day, however often it is linked to', async () => {
    const { alice, bob } = await realmWithPreviews();
    const url = publish(storyHead);
    const [first, second, third] = [
      await tell(alice, [bob], url),
      await tell(bob, [alice], `${url}#part`),
      await tell(bob, [alice], url),
    ];
    expect(await look(alice, first)).toEqual({ looked: 1, shown: 1 });
    expect(await look(alice, second)).toEqual({ looked: 0, shown: 1 });
    expect(await htmlOf(alice, second)).toContain(`href="${url}#part"`);
    expect(await look(alice, third, later(1.1 * day))).toEqual({ looked: 1, shown: 1 });
  });

  test('is looked at for each organization', async () => {
    const [here, there] = [await realmWithPreviews(), await realmWithPreviews()];
    const url = publish(storyHead);
    await look(here.alice, await tell(here.alice, [here.bob], url));
    const id = await tell(there.alice, [there.bob], url);
    expect(await look(there.alice, id)).toEqual({ looked: 1, shown: 1 });
  });

  test('changes nothing when it is looked at twice', async () => {
    const { alice, bob } = await realmWithPreviews();
    const id = await tell(alice, [bob], publish(storyHead));
    await look(alice, id);
    const [phone, before] = [await bob.listen(), await htmlOf(bob, id)];
    expect(await look(alice, id)).toEqual({ looked: 0 });
    await Promise.all([look(alice, id), look(alice, id)]);
    expect(await phone.hears()).toEqual([]);
    expect(await htmlOf(bob, id)).toBe(before);
  });

  test('is shown once by two workers at the same moment', async () => {
    const { alice, bob } = await realmWithPreviews();
    const id = await tell(alice, [bob], publish(storyHead));
    const phone = await bob.listen();
    await Promise.all([look(alice, id), look(alice, id), look(alice, id)]);
    expect(await phone.hears()).toHaveLength(1);
  });
});

describe('an edit', () => {
  test('keeps what is known of the links that it keeps, and is looked at for others', async () => {
    const { alice, bob } = await realmWithPreviews();
    const [looked, other] = [publish(storyHead), publish(storyHead)];
    const id = await tell(alice, [bob], looked);
    await look(alice, id);
    await edit(alice, id, `${looked}\n\n${other}`);
    expect(await htmlOf(bob, id)).toBe(`${linkTo(looked)}\n${previewOf(looked)}\n${linkTo(other)}`);
    expect(await look(alice, id)).toEqual({ looked: 1, shown: 1 });
    expect(await htmlOf(bob, id)).toContain(previewOf(other));
    await edit(alice, id, 'no more');
    expect(await arePreviewsDue(alice, id)).toBe(false);
    expect(await htmlOf(bob, id)).toBe('<p>no more</p>');
  });

  test('is told before what it shows', async () => {
    const { alice, bob } = await realmWithPreviews();
    const [url, id] = [publish(storyHead), await tell(alice, [bob], 'hello')];
    const phone = await bob.listen();
    await edit(alice, id, url);
    await look(alice, id);
    expect(await phone.hears()).toMatchObject([
      { user_id: alice.id, rendering_only: false, rendered_content: linkTo(url) },
      { user_id: null, rendering_only: true, rendered_content: `${linkTo(url)}\n${previewOf(url)}` },
    ]);
  });

  test('is shown as it was, when older renderers made it', async () => {
    const { alice, bob } = await realmWithPreviews();
    const url = publish(storyHead);
    const id = await tell(alice, [bob], url);
    await look(alice, id);
    await setOldRendering(alice, id, '<p>old</p>');
    expect(await htmlOf(bob, id)).toBe(`${linkTo(url)}\n${previewOf(url)}`);
  });
});

test('what a message would be is what it is when it is sent', async () => {
  const { alice, bob } = await realmWithPreviews();
  const url = publish(storyHead);
  await look(alice, await tell(alice, [bob], url));
  expect((await alice.post('/messages/render', { content: url })).rendered).toBe(linkTo(url));
});
