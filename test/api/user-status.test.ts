import { describe, expect, test } from 'vitest';

import { type Json, type Params, type Person, done, headOf, realm, refused } from '../support/index.ts';

const octopus = { emoji_name: 'octopus', emoji_code: '1f419', reaction_type: 'unicode_emoji' };
const noEmoji = { emoji_name: '', emoji_code: '', reaction_type: '' };

const set = (person: Person, params: Params): Promise<Json> => person.post('/users/me/status', params);
const setOf = (by: Person, { id }: { id: number }, params: Params): Promise<Json> =>
  by.post(`/users/${id}/status`, params);
const statusOf = async (by: Person, { id }: { id: number }): Promise<Json> =>
  (await by.get(`/users/${id}/status`)).status;
const registered = async (person: Person): Promise<Json> =>
  (await person.post('/register', { fetch_event_types: ['user_status'] })).user_status;

const listen = (person: Person, options: Params = {}) =>
  person.listen({ event_types: ['user_status', 'user_settings', 'presence'], ...options });

describe('POST /users/me/status', () => {
  test('sets text and emoji, each by itself, and tells everyone what has changed', async () => {
    const { alice, bob, guest } = await realm();
    const phones = [await listen(bob), await listen(guest), await listen(alice)];
    const steps: [Params, object, object][] = [
      [{ status_text: ' at lunch ' }, { status_text: 'at lunch' }, { status_text: 'at lunch' }],
      [{ emoji_name: 'octopus' }, octopus, { status_text: 'at lunch', ...octopus }],
      [
        { status_text: 'back', emoji_name: 'octopus' },
        { status_text: 'back' },
        { status_text: 'back', ...octopus },
      ],
      [{ emoji_name: '' }, noEmoji, { status_text: 'back' }],
      [{ status_text: '' }, { status_text: '' }, {}],
    ];
    for (const [params, told, status] of steps) {
      expect(await set(alice, params)).toEqual(done);
      for (const phone of phones) {
        expect(await phone.hears()).toEqual([
          { id: expect.any(Number), type: 'user_status', user_id: alice.id, ...told },
        ]);
      }
      for (const person of [alice, bob, guest]) expect(await statusOf(person, alice)).toEqual(status);
      const isSet = Object.keys(status).length > 0;
      expect(await registered(bob)).toEqual(isSet ? { [alice.id]: status } : {});
    }
  });

  test('is in the log, and only when something has changed', async () => {
    const { realm: home, alice } = await realm();
    const before = await headOf(home.id);
    await set(alice, { status_text: 'x', emoji_name: 'octopus' });
    expect(await headOf(home.id)).toBe(before + 1);
    await set(alice, { status_text: 'x', emoji_name: 'octopus' });
    await set(alice, { away: false });
    expect(await headOf(home.id)).toBe(before + 1);
  });

  test('takes an emoji in all the ways that it can be named', async () => {
    const { alice } = await realm();
    await set(alice, octopus);
    expect(await statusOf(alice, alice)).toEqual(octopus);
    const bad: [Params, string][] = [
      [{ emoji_name: 'no such thing' }, "There is no emoji called 'no such thing'."],
      [{ ...octopus, emoji_code: '1f600' }, 'This emoji has another name.'],
      [{ ...octopus, emoji_code: 'zzz' }, 'There is no emoji with this code.'],
      [{ ...octopus, reaction_type: 'none' }, 'There is no such type of emoji.'],
      [
        { emoji_name: 'x', emoji_code: '99', reaction_type: 'realm_emoji' },
        'This custom emoji does not exist.',
      ],
    ];
    for (const [params, msg] of bad) expect(await set(alice, params)).toEqual(refused(msg));
    expect(await statusOf(alice, alice)).toEqual(octopus);
  });

  test('refuses what says nothing, and what is too long', async () => {
    const { alice } = await realm();
    const nothing = refused('There is nothing to change.');
    expect(await set(alice, {})).toEqual(nothing);
    expect(await set(alice, { emoji_code: '1f419' })).toEqual(nothing);
    const nameless = refused("Send 'emoji_name' with 'emoji_code' and 'reaction_type'.");
    expect(await set(alice, { status_text: 'x', emoji_code: '1f419' })).toEqual(nameless);
    expect(await set(alice, { status_text: 'x', reaction_type: 'unicode_emoji' })).toEqual(nameless);
    expect(await set(alice, { status_text: 'x'.repeat(61) })).toEqual(
      refused('status_text can have at most 60 characters.'),
    );
    expect(await set(alice, { status_text: '😀'.repeat(60) })).toEqual(done);
    expect(await set(alice, { status_text: 'a\0b' })).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('is for people', async () => {
    const { bot, guest } = await realm();
    expect(await set(bot, { status_text: 'beep' })).toEqual(refused('Bots cannot use this endpoint.'));
    expect(await set(guest, { status_text: 'hello' })).toEqual(done);
  });
});

describe('away', () => {
  test('hides presence: the setting is told first, then presence, then the status', async () => {
    const { alice, bob } = await realm();
    await alice.post('/users/me/presence', { status: 'active' });
    const modern = { client_capabilities: { notification_settings_null: true, user_settings_object: true } };
    const [mine, phone] = [await listen(alice, modern), await listen(bob)];
    for (const listener of [mine, phone]) await listener.hears();

    expect(await set(alice, { away: true, status_text: 'gone' })).toEqual(done);
    const setting = { type: 'user_settings', property: 'presence_enabled', value: false };
    const presence = { type: 'presence', user_id: alice.id };
    const status = { type: 'user_status', user_id: alice.id, away: true, status_text: 'gone' };
    expect(await mine.hears()).toMatchObject([setting, presence, status]);
    expect(await phone.hears()).toMatchObject([presence, status]);
    expect(await statusOf(bob, alice)).toEqual({ away: true, status_text: 'gone' });

    expect(await set(alice, { away: true })).toEqual(done);
    expect(await mine.hears()).toEqual([]);
    expect(await set(alice, { away: false })).toEqual(done);
    expect(await phone.hears()).toMatchObject([presence, { type: 'user_status', away: false }]);
    expect(await statusOf(bob, alice)).toEqual({ status_text: 'gone' });
  });

  test('is the same as the setting, whichever is changed', async () => {
    const { alice, bob } = await realm();
    const phone = await listen(bob);
    await alice.patch('/settings', { presence_enabled: false });
    expect(await phone.hears()).toMatchObject([{ type: 'user_status', user_id: alice.id, away: true }]);
    expect(await statusOf(bob, alice)).toEqual({ away: true });
    await set(alice, { away: false });
    const { user_settings } = await alice.post('/register', { fetch_event_types: ['user_settings'] });
    expect(user_settings.presence_enabled).toBe(true);
  });

  test('is left as it is by a status that is refused', async () => {
    const { alice } = await realm();
    expect(await set(alice, { away: true, emoji_name: 'no such thing' })).toMatchObject({ result: 'error' });
    const { user_settings } = await alice.post('/register', { fetch_event_types: ['user_settings'] });
    expect(user_settings.presence_enabled).toBe(true);
    expect(await statusOf(alice, alice)).toEqual({});
  });
});

describe('POST /users/{user_id}/status', () => {
  test('is for administrators', async () => {
    const { owner, admin, moderator, alice, guest, bob } = await realm();
    for (const person of [owner, admin]) {
      expect(await setOf(person, bob, { status_text: `by ${person.name}`, ...octopus })).toEqual(done);
      expect(await statusOf(alice, bob)).toEqual({ status_text: `by ${person.name}`, ...octopus });
    }
    for (const person of [moderator, alice, guest, bob]) {
      expect(await setOf(person, bob, { status_text: 'x' })).toEqual(
        refused('Only administrators of the organization can do this.', 'UNAUTHORIZED_PRINCIPAL'),
      );
    }
  });

  test('tells everyone', async () => {
    const { admin, bob, carol } = await realm();
    const phone = await listen(carol);
    await setOf(admin, bob, { emoji_name: 'octopus' });
    expect(await phone.hears()).toMatchObject([{ type: 'user_status', user_id: bob.id, ...octopus }]);
  });

  test('names somebody of the organization who is there', async () => {
    const { owner, bot, bob } = await realm();
    const stranger = (await realm()).alice;
    for (const user of [stranger, bot, { id: 2_147_483_647 }]) {
      expect(await setOf(owner, user, { status_text: 'x' })).toEqual(refused('This user does not exist.'));
    }
    await owner.delete(`/users/${bob.id}`);
    expect(await setOf(owner, bob, { status_text: 'x' })).toEqual(refused('This user is deactivated.'));
    expect(await setOf(owner, owner, {})).toEqual(refused('There is nothing to change.'));
  });

  test('does not know away', async () => {
    const { owner, bob } = await realm();
    expect(await setOf(owner, bob, { status_text: 'x', away: true })).toMatchObject({
      ignored_parameters_unsupported: ['away'],
    });
    expect(await statusOf(owner, bob)).toEqual({ status_text: 'x' });
  });
});

test('GET /users/{user_id}/status is for everyone in the organization, of people', async () => {
  const { owner, alice, guest, bot } = await realm();
  const stranger = (await realm()).alice;
  await set(alice, { status_text: 'here' });
  for (const person of [owner, alice, guest, bot]) {
    expect(await statusOf(person, alice)).toEqual({ status_text: 'here' });
  }
  expect(await statusOf(alice, owner)).toEqual({});
  for (const user of [stranger, bot, { id: 0 }]) {
    expect(await alice.get(`/users/${user.id}/status`)).toEqual(refused('This user does not exist.'));
  }
  expect(await stranger.get(`/users/${alice.id}/status`)).toEqual(refused('This user does not exist.'));
});
