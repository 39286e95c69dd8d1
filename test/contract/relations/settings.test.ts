import { describe, expect, test } from 'vitest';

import {
  type Person,
  confirmEmail,
  confirmationPath,
  outcomeOf,
  realm,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import { heardOf, listenWith, messagesHeard, shown, stateOf } from './heard.ts';

const password = 'correct horse battery staple';
const other = 'a completely different sentence';
const legacy = ['update_display_settings', 'update_global_notifications'];

const logIn = async (asker: Person, username: string, typed: string) =>
  outcomeOf(
    (await asker.ask('POST', '/fetch_api_key', { username, password: typed }, { authorization: null })).body,
  );

describe('4.5 PATCH /settings', () => {
  test('a new password is taken only together with the old one, and then opens the account instead of it', async () => {
    const { alice, join } = await realm();
    const dora = await join({ name: 'Dora', password });
    expect(outcomeOf(await dora.patch('/settings', { new_password: other }))).not.toBe('ok');
    expect(await logIn(alice, dora.email, password)).toBe('ok');
    await succeed(dora.patch('/settings', { new_password: other, old_password: password }));
    expect(await logIn(alice, dora.email, password)).toBe('AUTHENTICATION_FAILED');
    expect(await logIn(alice, dora.email, other)).toBe('ok');
  });

  test('a new address is that of the account from the moment on at which the link sent to it was confirmed', async () => {
    const { alice, bob } = await realm();
    await succeed(alice.patch('/settings', { email: 'new@example.com' }));
    const addressOf = async () => (await bob.get(`/users/${alice.id}`)).user.delivery_email;
    expect(await addressOf()).toBe(alice.email);
    const path = await confirmationPath(alice);
    await bob.fetch(path, {}, { authorization: null });
    expect(await addressOf(), 'a program looked at the page').toBe(alice.email);
    const { status } = await confirmEmail(bob, path);
    expect([status, await addressOf()]).toEqual([200, 'new@example.com']);
  });

  test('a setting is told to each client of its owner, and to nobody else', async () => {
    const { alice, bob } = await realm();
    const [phone, laptop, his] = [await alice.listen(), await alice.listen(), await bob.listen()];
    await succeed(alice.patch('/settings', { hide_ai_features: true }));
    for (const own of [phone, laptop]) {
      expect(await heardOf(own, 'user_settings')).toMatchObject([
        { op: 'update', property: 'hide_ai_features', value: true },
      ]);
    }
    expect(await his.hears()).toEqual([]);
  });

  test.each([
    ['default_language', 'de', ['language_name', 'op', 'property', 'value']],
    ['color_scheme', 2, ['op', 'property', 'value']],
  ])('an event about %s %s has these fields of its own: %j', async (name, value, fields) => {
    const { alice } = await realm();
    const phone = await listenWith(alice, ['user_settings']);
    await succeed(alice.patch('/settings', { [name]: value }));
    const [{ id: _, type: __, ...own } = {}] = (await phone.hears()) as object[] as Record<string, unknown>[];
    expect(Object.keys(own).toSorted()).toEqual(fields);
  });

  test.each([
    ['update_display_settings', 'color_scheme', 2, 'setting_name'],
    ['update_global_notifications', 'enable_sounds', false, 'notification_name'],
  ])('%s tells of %s to clients without user_settings_object alone', async (type, name, value, field) => {
    const { alice } = await realm();
    const [modern, old] = [
      await listenWith(alice, ['user_settings', ...legacy]),
      await listenWith(alice, ['user_settings', ...legacy], ['user_settings_object']),
    ];
    await succeed(alice.patch('/settings', { [name]: value }));
    expect((await modern.hears()).map((event) => event.type)).toEqual(['user_settings']);
    expect(await heardOf(old, type)).toMatchObject([{ user: alice.email, [field]: name, setting: value }]);
  });

  test.each([
    ['web_mark_read_on_scroll_policy', [0, 4], 3],
    ['color_scheme', [0, 4], 3],
    ['demote_inactive_streams', [0, 4], 3],
    ['user_list_style', [0, 4], 3],
    ['web_stream_unreads_count_display_policy', [0, 4], 3],
    ['web_home_view', ['home', ''], 'all_messages'],
    ['web_animate_image_previews', ['sometimes', ''], 'never'],
    ['emojiset', ['none', ''], 'text'],
  ])('%s refuses %j and takes %j', async (name, beyond, last) => {
    const { alice } = await realm();
    for (const value of beyond) {
      expect(await alice.patch('/settings', { [name]: value })).toMatchObject({ code: 'BAD_REQUEST' });
    }
    await succeed(alice.patch('/settings', { [name]: last }));
    expect((await stateOf(alice, 'user_settings')).user_settings[name]).toBe(last);
  });

  test('one value that cannot be keeps all settings of a request as they were', async () => {
    const { alice } = await realm();
    const phone = await alice.listen();
    const changes = { starred_message_counts: false, color_scheme: 9 };
    expect(await alice.patch('/settings', changes)).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await phone.hears()).toEqual([]);
  });

  test('whoever turns typing notifications off hears of nobody’s typing', async () => {
    const { alice, bob, carol } = await realm();
    await succeed(bob.patch('/settings', { receives_typing_notifications: false }));
    const [his, hers] = [await listenWith(bob, ['typing']), await listenWith(carol, ['typing'])];
    await Promise.all([his.hears(), hers.hears()]);
    await succeed(alice.post('/typing', { op: 'start', to: [bob.id, carol.id] }));
    expect(await hers.waits()).toMatchObject([{ type: 'typing', op: 'start' }]);
    expect(await his.hears()).toEqual([]);
  });

  test('a new name is heard by others and stands in messages that were sent before', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob]);
    const phone = await listenWith(bob, ['realm_user']);
    await succeed(alice.patch('/settings', { full_name: 'Alina' }));
    expect(await phone.hears()).toMatchObject([
      { op: 'update', person: { user_id: alice.id, full_name: 'Alina' } },
    ]);
    expect((await shown(bob, id)).sender_full_name).toBe('Alina');
  });

  test('a new time zone is told to others with the account’s id and address', async () => {
    const { alice, bob } = await realm();
    const phone = await listenWith(bob, ['realm_user']);
    await succeed(alice.patch('/settings', { timezone: 'Europe/Berlin' }));
    expect((await phone.hears()).map(({ person }) => person)).toEqual([
      { user_id: alice.id, email: alice.email, timezone: 'Europe/Berlin' },
    ]);
  });

  test('whoever may no longer see an address is told that it is none, and shown a placeholder', async () => {
    const { alice, bob } = await realm();
    const phone = await listenWith(bob, ['realm_user']);
    await succeed(alice.patch('/settings', { email_address_visibility: 3 }));
    const told = (await phone.hears()).map(({ person }) => person);
    expect(told).toContainEqual({ user_id: alice.id, delivery_email: null });
    const placeholder = `user${alice.id}@${alice.realm.host}`;
    expect(told).toContainEqual({ user_id: alice.id, new_email: placeholder });
    expect((await bob.get(`/users/${alice.id}`)).user).toMatchObject({
      email: placeholder,
      delivery_email: null,
    });
  });

  test('drafts are deleted when their synchronization is turned off, and those of others stay', async () => {
    const { alice, bob } = await realm();
    const drafts = [{ type: '', to: [], topic: '', content: 'note' }];
    for (const who of [alice, bob]) await succeed(who.post('/drafts', { drafts }));
    await succeed(alice.patch('/settings', { enable_drafts_synchronization: false }));
    await succeed(alice.patch('/settings', { enable_drafts_synchronization: true }));
    expect((await alice.get('/drafts')).drafts).toEqual([]);
    expect((await bob.get('/drafts')).drafts).toHaveLength(1);
  });

  test('emoticons become emoji in the texts of those alone who want them translated', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob, carol]);
    await succeed(alice.patch('/settings', { translate_emoticons: true }));
    const phone = await carol.listen({ apply_markdown: true, event_types: ['message'] });
    for (const by of [alice, bob]) {
      await succeed(by.post('/messages', { type: 'channel', to: 'news', topic: 't', content: ':)' }));
    }
    const [translated, plain] = (await messagesHeard(phone)).map(({ content }) => content);
    expect(translated).toContain('emoji');
    expect(plain).toBe('<p>:)</p>');
  });

  test('a setting of the old endpoints for display and notifications is the setting of the same name', async () => {
    const { alice } = await realm();
    await succeed(alice.patch('/settings/display', { color_scheme: 2 }));
    await succeed(alice.patch('/settings/notifications', { enable_sounds: false }));
    const { user_settings } = await stateOf(alice, 'user_settings');
    expect(user_settings).toMatchObject({ color_scheme: 2, enable_sounds: false });
  });
});
