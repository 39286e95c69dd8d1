import * as model from '@parley/model';
import { ApiError } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import { type Person, call, getWorld, realm, uploadEmoji } from '../support/index.ts';

describe('the names of emoji', () => {
  test('are fetched from where POST /register says, by anyone', async () => {
    const { alice, realm: home } = await realm();
    const { server_emoji_data_url: url } = await alice.post('/register', { fetch_event_types: ['realm'] });
    expect(url).toContain(home.url);

    const { ports } = await getWorld();
    const { status, headers, body } = await call({
      port: ports.api,
      method: 'GET',
      path: new URL(url).pathname,
      headers: { Host: 'any.example' },
    });

    expect(status).toBe(200);
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'cache-control': expect.stringContaining('immutable'),
    });
    expect(Object.keys(body)).toEqual(['code_to_names']);
    expect(body.code_to_names['1f44d'].slice(0, 2)).toEqual(['+1', 'thumbs_up']);
  });
});

describe('what an emoji is', () => {
  async function resolver() {
    const people = await realm();
    const { engine } = await getWorld();
    const resolve = (emoji_name: string, more: Partial<model.emoji.EmojiRequest> = {}) =>
      engine.db
        .transaction((tx) => model.emoji.resolveEmoji(tx, people.realm.id, { emoji_name, ...more }))
        .catch((error: unknown) => (error instanceof ApiError ? error.message : Promise.reject(error)));
    return { people, resolve };
  }

  test('follows from its name: the organization’s own first, then the server’s, then Unicode’s', async () => {
    const { people, resolve } = await resolver();
    expect(await resolve('tada')).toEqual({ name: 'tada', code: '1f389', type: 'unicode_emoji' });
    expect(await resolve('zulip')).toEqual({ name: 'zulip', code: 'zulip', type: 'svc_extra_emoji' });
    const [tada, zulip] = [await uploadEmoji(people, 'tada'), await uploadEmoji(people, 'zulip')];
    expect(await resolve('tada')).toEqual({ name: 'tada', code: String(tada), type: 'realm_emoji' });
    expect(await resolve('zulip')).toEqual({ name: 'zulip', code: String(zulip), type: 'realm_emoji' });
    expect(await resolve('nothing_of_this_name')).toBe("There is no emoji called 'nothing_of_this_name'.");
  });

  test('may be said in full', async () => {
    const { people, resolve } = await resolver();
    const id = String(await uploadEmoji(people, 'logo'));
    const full = (name: string, emoji_code: string, reaction_type: string) =>
      resolve(name, { emoji_code, reaction_type });

    expect(await full('thumbs_up', '1f44d', 'unicode_emoji')).toMatchObject({ code: '1f44d' });
    expect(await full('thumbs_up', '1f44f', 'unicode_emoji')).toBe('This emoji has another name.');
    expect(await full('thumbs_up', '1f44d-fe0f', 'unicode_emoji')).toBe('There is no emoji with this code.');
    expect(await full('thumbs_up', 'constructor', 'unicode_emoji')).toBe('There is no emoji with this code.');
    expect(await full('zulip', 'zulip', 'zulip_extra_emoji')).toMatchObject({ type: 'svc_extra_emoji' });
    expect(await full('zulip', 'zulip', 'svc_extra_emoji')).toMatchObject({ type: 'svc_extra_emoji' });
    expect(await full('zulip', 'other', 'svc_extra_emoji')).toBe('There is no emoji with this code.');
    expect(await full('other', 'zulip', 'svc_extra_emoji')).toBe('This emoji has another name.');
    expect(await full('logo', id, 'realm_emoji')).toMatchObject({ code: id, type: 'realm_emoji' });
    expect(await full('other', id, 'realm_emoji')).toBe('This custom emoji has another name.');
    for (const code of ['0', '-1', '99999999999', `${id}.5`, 'x', ''])
      expect(await full('logo', code, 'realm_emoji'), code).toBe('This custom emoji does not exist.');
    expect(await full('tada', '1f389', 'purple')).toBe('There is no such type of emoji.');
    expect(await resolve('tada', { reaction_type: 'purple' })).toBe('There is no such type of emoji.');
    expect(await resolve('tada', { emoji_code: '1f44d' })).toBe('This emoji has another name.');
  });

  test('ends for new uses when it is deactivated, and frees its name', async () => {
    const { people, resolve } = await resolver();
    const id = String(await uploadEmoji(people, 'tada'));
    await people.alice.delete('/realm/emoji/tada');
    expect(await resolve('tada')).toMatchObject({ type: 'unicode_emoji' });
    expect(await resolve('tada', { emoji_code: id, reaction_type: 'realm_emoji' })).toBe(
      'This custom emoji is deactivated.',
    );
  });

  test('an emoji of another organization does not exist', async () => {
    const { resolve } = await resolver();
    const id = String(await uploadEmoji(await realm(), 'theirs'));
    expect(await resolve('theirs')).toBe("There is no emoji called 'theirs'.");
    expect(await resolve('theirs', { emoji_code: id, reaction_type: 'realm_emoji' })).toBe(
      'This custom emoji does not exist.',
    );
  });
});

describe('GET /realm/emoji', () => {
  test('lists the organization’s own, deactivated ones too, as POST /register does', async () => {
    const people = await realm();
    const { alice, guest, realm: home } = people;
    const [one, two] = [await uploadEmoji(people, 'one'), await uploadEmoji(people, 'two')];
    await uploadEmoji(await realm(), 'theirs');
    await alice.delete('/realm/emoji/two');

    const listed = (id: number, name: string, deactivated: boolean) => ({
      id: String(id),
      name,
      source_url: `/user_avatars/${home.id}/emoji/images/${name}.png`,
      still_url: null,
      deactivated,
      author_id: alice.id,
    });
    const emoji = { [one]: listed(one, 'one', false), [two]: listed(two, 'two', true) };
    expect(await guest.get('/realm/emoji')).toEqual({ result: 'success', msg: '', emoji });
    expect((await guest.post('/register', { fetch_event_types: ['realm_emoji'] })).realm_emoji).toEqual(
      emoji,
    );
  });
});

describe('DELETE /realm/emoji/{emoji_name}', () => {
  const remove = async (who: Person, name: string) => {
    const { status, body } = await who.ask('DELETE', `/realm/emoji/${name}`);
    return [status, body.code ?? 'ok', body.msg];
  };
  const gone = (name: string) => [404, 'BAD_REQUEST', `There is no emoji called '${name}'.`];

  test('is for administrators and for whoever uploaded it', async () => {
    const people = await realm();
    const { owner, admin, moderator, alice, bob, guest } = people;
    for (const name of ['a', 'b', 'c']) await uploadEmoji(people, name);
    for (const who of [moderator, bob, guest])
      expect(await remove(who, 'a')).toEqual([
        400,
        'BAD_REQUEST',
        'Only administrators and whoever added the emoji can do this.',
      ]);
    expect(await remove(alice, 'a')).toEqual([200, 'ok', '']);
    expect(await remove(admin, 'b')).toEqual([200, 'ok', '']);
    expect(await remove(owner, 'c')).toEqual([200, 'ok', '']);
    expect(await remove(owner, 'c')).toEqual(gone('c'));
  });

  test('finds none but the organization’s own', async () => {
    const { owner } = await realm();
    await uploadEmoji(await realm(), 'theirs');
    expect(await remove(owner, 'theirs')).toEqual(gone('theirs'));
    expect(await remove(owner, 'tada')).toEqual(gone('tada'));
  });

  test('tells everyone what there is now', async () => {
    const people = await realm();
    const { alice, guest } = people;
    const id = await uploadEmoji(people, 'logo');
    const phone = await guest.listen();
    await alice.delete('/realm/emoji/logo');
    expect(await phone.hears()).toMatchObject([
      { type: 'realm_emoji', op: 'update', realm_emoji: { [id]: { name: 'logo', deactivated: true } } },
    ]);
  });
});
