import { gzipSync } from 'node:zlib';

import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Page,
  type Person,
  arePreviewsDue,
  pageOf,
  realm,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import {
  day,
  edit,
  htmlOf,
  later,
  linkTo,
  setPreviews,
  realmWithPreviews,
  storyHead,
  startPreviewPages,
} from './preview-pages.ts';

const { outside, put, publish, look, previewOf } = await startPreviewPages();

describe('nothing is looked at', () => {
  const left = async (by: Person, id: number) => {
    const before = outside.asked.length;
    const done = await look(by, id);
    expect(outside.asked.length).toBe(before);
    return done;
  };

  test('nothing is looked at where the organization does not want it', async () => {
    const { alice, bob } = await realm();
    expect(await left(alice, await tell(alice, [bob], publish(storyHead)))).toEqual({ looked: 0 });
  });

  test('nothing is looked at in messages of bots', async () => {
    const { bot, bob } = await realmWithPreviews();
    expect(await left(bob, await tell(bot, [bob], publish(storyHead)))).toEqual({ looked: 0 });
  });

  test('quotes, pictures, more than 24 links, and links to the organization itself are not looked at', async () => {
    const { alice, bob } = await realmWithPreviews();
    const url = publish(storyHead);
    const many = Array.from({ length: 25 }, (_, index) => `${url}?${index}`).join(' ');
    for (const content of [
      `> ${url}`,
      `${url}.png`,
      many,
      `${alice.realm.url}/x`,
      `[x](http://x/${'x'.repeat(2000)})`,
    ]) {
      expect((await left(alice, await tell(alice, [bob], content))) as Json).toMatchObject({ looked: 0 });
    }
  });

  test('nothing is looked at for a message that is gone', async () => {
    const { owner, alice, bob } = await realmWithPreviews();
    const id = await tell(alice, [bob], publish(storyHead));
    await succeed(owner.patch('/realm', { can_delete_any_message_group: { new: await membersOf(owner) } }));
    await succeed(alice.delete(`/messages/${id}`));
    expect(await left(alice, id)).toEqual({ looked: 0 });
    expect(await left(alice, 2_000_000_000)).toEqual({ looked: 0 });
  });

  const membersOf = async (by: Person): Promise<number> =>
    (await by.post('/register', { fetch_event_types: ['realm_user_groups'] })).realm_user_groups.find(
      ({ name }: Json) => name === 'role:members',
    ).id;
});

describe('nothing is shown', () => {
  /** Changes something while the page is looked at. */
  const meanwhile = (act: () => Promise<unknown>) =>
    put((_, response) => {
      void act().then(() => response.writeHead(200, { 'Content-Type': 'text/html' }).end(storyHead));
    });

  test('nothing is shown when the organization has changed its mind meanwhile', async () => {
    const people = await realmWithPreviews();
    const { alice, bob } = people;
    const url = meanwhile(() => setPreviews(people, false));
    const id = await tell(alice, [bob], url);
    expect(await look(alice, id)).toEqual({ looked: 1, shown: 0 });
    expect(await htmlOf(bob, id)).toBe(linkTo(url));
    expect(await arePreviewsDue(alice, id)).toBe(false);
  });

  test('nothing is shown when the message was deleted meanwhile', async () => {
    const { admin, alice, bob } = await realmWithPreviews();
    let id = 0;
    await subscribe(alice, 'news', [alice, bob]);
    const content = meanwhile(() => admin.delete(`/messages/${id}`));
    ({ id } = await alice.post('/messages', { type: 'channel', to: 'news', topic: 't', content }));
    expect(await look(alice, id)).toEqual({ looked: 1, shown: 0 });
    expect((await bob.get(`/messages/${id}`)).result).toBe('error');
  });

  test('a link that the message has lost meanwhile is not shown, and the one that replaced it is', async () => {
    const { alice, bob } = await realmWithPreviews();
    const other = publish(storyHead);
    let id = 0;
    const url = meanwhile(() => edit(alice, id, other));
    id = await tell(alice, [bob], url);
    const phone = await bob.listen();
    expect(await look(alice, id)).toEqual({ looked: 2, shown: 1 });
    expect(await htmlOf(bob, id)).toBe(`${linkTo(other)}\n${previewOf(other)}`);
    expect((await phone.hears()).map((event) => event['rendering_only'])).toEqual([false, true]);
  });

  test.each<[string, Page]>([
    ['a page without a picture', pageOf('<title>T</title>')],
    ['a page with a picture that is none', pageOf('<meta property="og:image" content="javascript:x">')],
    ['no page', pageOf(storyHead, { 'Content-Type': 'text/plain' })],
    ['a picture', pageOf(storyHead, { 'Content-Type': 'image/png' })],
    ['what does not say what it is', (_, response) => response.writeHead(200).end(storyHead)],
    ['an empty page', pageOf('')],
    [
      'a page that is not there',
      (_, response) => response.writeHead(404, { 'Content-Type': 'text/html' }).end(storyHead),
    ],
    ['a page that hangs up', (request) => request.socket.destroy()],
    [
      'a page out of order',
      (_, response) => response.writeHead(503, { 'Content-Type': 'text/html' }).end(storyHead),
    ],
    ['a picture behind half a megabyte', pageOf(`<!-- ${'x'.repeat(524_288)} -->${storyHead}`)],
    ['a picture in a bomb', pageOf(gzipSync(Buffer.alloc(50_000_000)), { 'Content-Encoding': 'gzip' })],
    [
      'a page within our own network',
      (_, response) => response.writeHead(302, { Location: 'http://127.0.0.2/' }).end(),
    ],
  ])('nothing is shown of %s', async (_, page) => {
    const { alice, bob } = await realmWithPreviews();
    const url = put(page);
    const id = await tell(alice, [bob], url);
    const phone = await bob.listen();
    expect(await look(alice, id)).toEqual({ looked: 1, shown: 0 });
    expect(await phone.hears()).toEqual([]);
    expect(await htmlOf(bob, id)).toBe(linkTo(url));
    expect(await arePreviewsDue(alice, id)).toBe(false);
    // Nor is it asked for again before long.
    expect(await look(alice, await tell(alice, [bob], url), later(500_000))).toEqual({ looked: 0, shown: 0 });
  });

  test('a page that could not be reached is not shown until it is asked for again', async () => {
    const { alice, bob } = await realmWithPreviews();
    let isUp = false;
    const url = put((request, response) => {
      if (isUp) pageOf(storyHead)(request, response);
      else request.socket.destroy();
    });
    await look(alice, await tell(alice, [bob], url));
    isUp = true;
    const id = await tell(alice, [bob], url);
    expect(await look(alice, id, later(700_000))).toEqual({ looked: 1, shown: 1 });
    isUp = false;
    // What is known of a page that does not answer is still known.
    expect(await look(alice, await tell(alice, [bob], url), later(2 * day))).toEqual({ looked: 1, shown: 1 });
  });
});
