import { userSettingRows } from '@parley/protocol';
import { describe, expect, test } from 'vitest';

import { type Json, type Person, newest, realm, succeed, tell } from '../support/index.ts';

const state = async (who: Person, key: string, capabilities?: object): Promise<Json> => {
  const { registered } = await who.listen({
    fetch_event_types: [key],
    ...(capabilities && { client_capabilities: capabilities }),
  });
  return registered;
};

describe('PATCH /settings', () => {
  test('each setting takes another of its values, shows it, and tells it in new words and in old ones', async () => {
    const { alice } = await realm();
    const [modern, old] = [await alice.listen({ client_capabilities: newest }), await alice.listen()];
    const values = [
      true,
      false,
      2,
      1,
      18,
      'de',
      'always',
      'never',
      'inbox',
      'recent_topics',
      'twitter',
      'bell',
    ];
    const changes = userSettingRows.map(([name, { schema, default: value }]) => {
      const other = values.find((one) => one !== value && schema.safeParse(one).success);
      return [name, other] as const;
    });
    for (const [name, value] of changes) await succeed(alice.patch('/settings', { [name]: value }));

    const told = (events: Json[]) =>
      events.filter(({ type }) => type === 'user_settings').map(({ property, value }) => [property, value]);
    expect(told(await modern.hears())).toEqual(changes);
    const heard = await old.hears();
    expect(told(heard)).toEqual(changes);
    const inOldWords = heard.flatMap(({ type, setting_name, notification_name, setting }) =>
      type.startsWith('update_') ? [[type, setting_name ?? notification_name, setting]] : [],
    );
    expect(inOldWords).toEqual(
      userSettingRows.flatMap(([name, { legacy }]) => {
        const change = changes.find(([changed]) => changed === name);
        return legacy ? [[legacy, name, change?.[1]]] : [];
      }),
    );
    const { user_settings } = await state(alice, 'user_settings');
    expect(user_settings).toMatchObject(Object.fromEntries(changes));
  });

  test('a change is told to its owner alone, and nothing else changes', async () => {
    const { alice, bob } = await realm();
    const phone = await alice.listen({ client_capabilities: newest });
    const stranger = await bob.listen({ event_types: ['user_settings'] });

    expect(await alice.patch('/settings', { color_scheme: 2, notification_sound: 'none' })).toEqual({
      result: 'success',
      msg: '',
    });

    expect(await phone.hears()).toMatchObject([
      { type: 'user_settings', op: 'update', property: 'color_scheme', value: 2 },
      { type: 'user_settings', op: 'update', property: 'notification_sound', value: 'none' },
    ]);
    expect(await stranger.hears()).toEqual([]);
    const { user_settings } = await state(alice, 'user_settings');
    expect(user_settings).toMatchObject({ color_scheme: 2, notification_sound: 'none', timezone: '' });
    expect(Object.keys(user_settings)).toEqual(expect.arrayContaining(userSettingRows.map(([name]) => name)));
    expect(user_settings.emojiset_choices).toContainEqual({ key: 'google', text: 'Google' });
    expect(user_settings.available_notification_sounds).toContain('zulip');
  });

  test('what stays as it is is told to nobody', async () => {
    const { alice } = await realm();
    const phone = await alice.listen();
    await alice.patch('/settings', { color_scheme: 1, full_name: 'Alice', timezone: '' });
    expect(await phone.hears()).toEqual([]);
  });

  test('a program that knows no user_settings object is told in the old words, too', async () => {
    const { alice } = await realm();
    const old = await alice.listen();
    const modernOne = await alice.listen({ client_capabilities: newest });
    const narrow = await alice.listen({ event_types: ['update_display_settings'] });

    await alice.patch('/settings/display', { default_language: 'de', web_font_size_px: 18 });
    await alice.patch('/settings/notifications', { enable_sounds: false });

    const display = {
      type: 'update_display_settings',
      user: alice.email,
      setting_name: 'default_language',
      setting: 'de',
      language_name: 'German',
    };
    expect(await old.hears()).toMatchObject([
      { type: 'user_settings', property: 'web_font_size_px' },
      { type: 'user_settings', property: 'default_language', value: 'de', language_name: 'German' },
      display,
      { type: 'user_settings', property: 'enable_sounds' },
      { type: 'update_global_notifications', notification_name: 'enable_sounds', setting: false },
    ]);
    expect((await modernOne.hears()).map(({ type }) => type)).toEqual(Array(3).fill('user_settings'));
    expect(await narrow.hears()).toMatchObject([display]);
    expect(await state(alice, 'update_display_settings')).toMatchObject({ default_language: 'de' });
    expect(await state(alice, 'update_global_notifications')).toMatchObject({ enable_sounds: false });
    expect(await state(alice, 'update_display_settings', newest)).not.toHaveProperty('default_language');
  });

  test('a name and a time zone are told to everyone', async () => {
    const { alice, guest } = await realm();
    const phone = await guest.listen();
    await alice.patch('/settings', { full_name: ' Alina ', timezone: 'Europe/Berlin' });
    expect(await phone.hears()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: alice.id, full_name: 'Alina' } },
      { person: { user_id: alice.id, email: alice.email, timezone: 'Europe/Berlin' } },
    ]);
    const id = await tell(alice, [guest], 'hi');
    const { message } = await guest.get(`/messages/${id}`);
    expect(message.sender_full_name).toBe('Alina');
  });

  test('a message sent before and after a change of name bears the name of its time', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen({ event_types: ['message'] });
    const send = () => alice.post('/messages', { type: 'direct', to: [bob.id], content: 'hi' });
    await send();
    await alice.patch('/settings', { full_name: 'Alina', email_address_visibility: 4 });
    await send();
    expect(
      (await phone.hears()).map(({ message }) => [message.sender_full_name, message.sender_email]),
    ).toEqual([
      ['Alice', alice.email],
      ['Alina', `user${alice.id}@${alice.realm.host}`],
    ]);
  });

  test('refuses what no setting can be', async () => {
    const { alice, bot } = await realm();
    const refusal = async (params: object, by = alice) => {
      const { code, msg } = await by.patch('/settings', params as never);
      return [code, msg];
    };
    for (const params of [
      { color_scheme: 4 },
      { color_scheme: '"1"' },
      { enable_sounds: 1 },
      { notification_sound: 'gong' },
      { web_channel_default_view: 3 },
      { email_notifications_batching_period_seconds: 0 },
      { email_notifications_batching_period_seconds: 604_801 },
      { default_language: 'tlh-x' },
      { timezone: 'Nowhere/City' },
      { timezone: '+01:00' },
      { email_address_visibility: 6 },
      { web_home_view: 'home' },
    ]) {
      const [code, msg] = await refusal(params);
      expect([code, msg]).toEqual(['BAD_REQUEST', expect.stringContaining(Object.keys(params)[0] ?? '')]);
    }
    expect(await refusal({ full_name: '' })).toEqual(['BAD_REQUEST', 'Enter a name.']);
    expect(await refusal({ full_name: 'x'.repeat(101) })).toEqual(['BAD_REQUEST', 'This name is too long.']);
    for (const name of ['a*b', 'a`b', 'a\\b', 'a>b', 'a"b', 'a@b', 'a\u0007b']) {
      expect(await refusal({ full_name: name })).toEqual([
        'BAD_REQUEST',
        'This name contains characters that are not allowed.',
      ]);
    }
    expect(await refusal({ full_name: 'a|12' })).toEqual([
      'BAD_REQUEST',
      'A name cannot end with | and a number.',
    ]);
    expect(await refusal({}, bot)).toEqual(['BAD_REQUEST', 'Bots cannot use this endpoint.']);
  });

  test('two changes at the same moment are both kept', async () => {
    const { alice } = await realm();
    await Promise.all([
      alice.patch('/settings', { enter_sends: true }),
      alice.patch('/settings', { enable_sounds: false }),
      alice.patch('/settings', { full_name: 'Alina' }),
    ]);
    expect((await state(alice, 'user_settings')).user_settings).toMatchObject({
      enter_sends: true,
      enable_sounds: false,
    });
    expect((await alice.get('/users/me')).full_name).toBe('Alina');
  });
});

describe('email_address_visibility', () => {
  test('decides who sees the real address, and each who gains or loses it is told', async () => {
    const { owner, admin, moderator, alice, bob, guest } = await realm();
    const viewers = { owner, admin, moderator, bob, guest };
    const seenAs = async (who: Person) => {
      const { realm_users } = await state(who, 'realm_user');
      const { delivery_email, email } = realm_users.find((user: Json) => user.user_id === alice.id);
      return [delivery_email, email];
    };
    const placeholder = `user${alice.id}@${alice.realm.host}`;
    const seeing: [number, string[]][] = [
      [2, ['owner', 'admin', 'moderator', 'bob']],
      [3, ['owner', 'admin']],
      [5, ['owner', 'admin', 'moderator']],
      [4, []],
    ];
    for (const [visibility, names] of seeing) {
      await alice.patch('/settings', { email_address_visibility: visibility });
      for (const [name, viewer] of Object.entries(viewers)) {
        const email = names.includes(name) ? alice.email : null;
        expect(await seenAs(viewer), `${name} at ${visibility}`).toEqual([email, placeholder]);
      }
      expect(await seenAs(alice)).toEqual([alice.email, placeholder]);
    }
    const phone = await moderator.listen({ event_types: ['realm_user'] });
    await alice.patch('/settings', { email_address_visibility: 5 });
    await alice.patch('/settings', { email_address_visibility: 1 });
    expect((await phone.hears()).map(({ person }) => person)).toMatchObject([
      { delivery_email: alice.email },
      { new_email: alice.email },
      { avatar_source: 'G' },
    ]);
  });
});

describe('PATCH /realm/user_settings_defaults', () => {
  test('is what new accounts start with, and told to everyone', async () => {
    const { admin, guest, alice, join } = await realm();
    const phone = await guest.listen();
    await admin.patch('/realm/user_settings_defaults', { enter_sends: true, email_address_visibility: 4 });
    expect(await phone.hears()).toMatchObject([
      { type: 'realm_user_settings_defaults', op: 'update', property: 'enter_sends', value: true },
      { type: 'realm_user_settings_defaults', property: 'email_address_visibility', value: 4 },
    ]);
    const newcomer = await join({ name: 'Newcomer' });
    const { user_settings } = await state(newcomer, 'user_settings');
    expect(user_settings).toMatchObject({ enter_sends: true, email_address_visibility: 4 });
    expect((await state(alice, 'user_settings')).user_settings.enter_sends).toBe(false);
    const { realm_user_settings_defaults } = await state(guest, 'realm_user_settings_defaults');
    expect(realm_user_settings_defaults).toMatchObject({ enter_sends: true, emojiset: 'google' });
    expect(realm_user_settings_defaults).not.toHaveProperty('timezone');
    expect(realm_user_settings_defaults).toHaveProperty('default_language', 'en');
  });

  test('is for administrators', async () => {
    const { moderator, owner } = await realm();
    const params = { enter_sends: true, default_language: 'de' };
    expect(await moderator.patch('/realm/user_settings_defaults', params)).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expect(await owner.patch('/realm/user_settings_defaults', params)).toMatchObject({
      ignored_parameters_unsupported: ['default_language'],
    });
  });
});
