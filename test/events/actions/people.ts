import { expect } from 'vitest';

import {
  type Person,
  askUnsubscribe,
  createChannel,
  picture,
  say,
  subscribe,
  succeed,
} from '../../support/index.ts';
import type { Actions, Exercised } from './action.ts';
import { otherSettings } from './settings.ts';

const changeAvatar = (by: Person) =>
  succeed(
    by
      .upload('/users/me/avatar', [{ name: 'me.png', content: picture, type: 'image/png' }])
      .then(({ body }) => body),
  );

/** What people say of themselves, and how they want it. */
export const actions: Actions = {
  async 'ending notifications by mail'({ alice }) {
    const [news, food] = [await createChannel(alice, 'news'), await createChannel(alice, 'food')];
    const wish = (stream_id: number) => ({ stream_id, property: 'email_notifications', value: true });
    await succeed(
      alice.post('/users/me/subscriptions/properties', { subscription_data: [wish(news), wish(food)] }),
    );
    await succeed(alice.delete(`/streams/${food}`));
    return async () => expect((await askUnsubscribe(alice, 'POST')).status).toBe(200);
  },

  async 'changing every setting of one’s own'({ owner, alice, bob }) {
    // What channels inherit: one that alice is in, one that she has left, and one in the archive.
    for (const name of ['inside', 'outside', 'archived']) await subscribe(bob, name, [alice, bob]);
    await succeed(alice.delete('/users/me/subscriptions', { subscriptions: ['outside'] }));
    const { stream_id } = await succeed(owner.get('/get_stream_id', { stream: 'archived' }));
    await succeed(owner.delete(`/streams/${stream_id}`));
    return () =>
      succeed(
        alice.patch('/settings', { ...otherSettings(), full_name: 'Alina', timezone: 'Europe/Berlin' }),
      );
  },

  async 'hiding one’s address more and more, and showing it again'({ alice, guest }) {
    return async () => {
      for (const visibility of [2, 5, 3, 4, 1, 4, 3, 5, 2, 3, 1]) {
        await succeed(alice.patch('/settings', { email_address_visibility: visibility }));
        await succeed(guest.patch('/settings', { email_address_visibility: visibility }));
      }
      await succeed(alice.patch('/settings', { email_address_visibility: 3 }));
    };
  },

  async 'a new picture of oneself, and another, and none'({ alice, guest, admin }) {
    await changeAvatar(guest);
    await changeAvatar(admin);
    return async () => {
      await changeAvatar(alice);
      await changeAvatar(guest);
      await succeed(admin.delete('/users/me/avatar'));
    };
  },

  async 'setting, changing and clearing statuses'({ alice, bob, admin, guest }) {
    const set = (by: Person, params: Record<string, unknown>, whose = 'me') =>
      succeed(by.post(`/users/${whose}/status`, params));
    await set(alice, { status_text: 'lunch', emoji_name: 'octopus' });
    await set(guest, { status_text: 'new here' });
    return async () => {
      await set(alice, { status_text: 'back', emoji_name: '' });
      await set(guest, { status_text: '' });
      await set(bob, { emoji_name: 'car' });
      await set(admin, { status_text: 'on call', emoji_name: 'octopus' }, String(bob.id));
      await set(admin, { away: true });
      await succeed(alice.patch('/settings', { presence_enabled: false }));
      await set(alice, { away: false });
    };
  },

  async 'alert words and muted users'({ alice, bob, carol }) {
    await subscribe(alice, 'news', [alice, bob, carol]);
    await say(carol, 'news');
    await succeed(bob.post('/users/me/alert_words', { alert_words: ['tea', 'milk'] }));
    return async () => {
      await succeed(alice.post('/users/me/alert_words', { alert_words: ['Hello', 'coffee', 'hello'] }));
      await succeed(bob.delete('/users/me/alert_words', { alert_words: ['TEA'] }));
      await succeed(alice.post(`/users/me/muted_users/${carol.id}`));
      await say(carol, 'news');
      await say(bob, 'news');
      await succeed(bob.post(`/users/me/muted_users/${alice.id}`));
      await succeed(bob.delete(`/users/me/muted_users/${alice.id}`));
      await say(alice, 'news');
    };
  },

  async 'profile fields, filled in, changed and removed'({ admin, alice, bob, guest, join }) {
    const gone = await join({ name: 'Gone' });
    const make = async (name: string, field_type: number, more: object = {}): Promise<number> =>
      (await succeed(admin.post('/realm/profile_fields', { name, field_type, ...more }))).id;
    const [tea, coffee] = [
      { text: 'tea', order: '1' },
      { text: 'coffee', order: '2' },
    ];
    const drink = await make('Drink', 3, { field_data: { a: tea, b: coffee } });
    const about = await make('About', 2);
    const fill = (by: Person, data: object[]) => succeed(by.patch('/users/me/profile_data', { data }));
    await fill(bob, [{ id: drink, value: 'a' }]);
    await fill(gone, [
      { id: drink, value: 'a' },
      { id: about, value: 'me' },
    ]);
    await succeed(admin.delete(`/users/${gone.id}`));
    return async () => {
      const friends = await make('Friends', 6, { hint: 'who' });
      await fill(alice, [
        { id: friends, value: [bob.id, guest.id] },
        { id: about, value: 'a\n\n<b>' },
      ]);
      await fill(guest, [{ id: drink, value: 'b' }]);
      await succeed(
        admin.patch(`/users/${bob.id}`, { role: 300, profile_data: [{ id: about, value: 'Bob' }] }),
      );
      await succeed(alice.delete('/users/me/profile_data', { data: [friends] }));
      await succeed(admin.patch('/realm/profile_fields', { order: [friends, about, drink] }));
      await succeed(admin.patch(`/realm/profile_fields/${drink}`, { field_data: { b: coffee } }));
      await succeed(admin.patch(`/realm/profile_fields/${friends}`, { name: 'Mates', required: true }));
      await succeed(admin.delete(`/realm/profile_fields/${about}`));
      await succeed(admin.post(`/users/${gone.id}/reactivate`));
    };
  },
};

export const exercised: Exercised = {
  'actions/users/end-mails': 'ending notifications by mail',
  'actions/alert-words/add': 'alert words and muted users',
  'actions/alert-words/remove': 'alert words and muted users',
  'actions/muted-users/mute': 'alert words and muted users',
  'actions/muted-users/unmute': 'alert words and muted users',
  'actions/profile-fields/create': 'profile fields, filled in, changed and removed',
  'actions/profile-fields/edit': 'profile fields, filled in, changed and removed',
  'actions/profile-fields/remove': 'profile fields, filled in, changed and removed',
  'actions/profile-fields/reorder': 'profile fields, filled in, changed and removed',
  'actions/profile-fields/set': 'profile fields, filled in, changed and removed',
  'actions/presence/record': null,
  'actions/typing/compose': null,
  'actions/typing/edit': null,
  'actions/user-status/set': 'setting, changing and clearing statuses',
  'actions/users/change-avatar': 'a new picture of oneself, and another, and none',
  'actions/users/edit-settings': 'changing every setting of one’s own',
  'actions/own-account/edit': 'changing every setting of one’s own',
  'actions/users/events': 'changing every setting of one’s own',
  'model/access/user-audiences': 'hiding one’s address more and more, and showing it again',
  'model/profile-fields/present': 'profile fields, filled in, changed and removed',
  'model/users/present': 'a new picture of oneself, and another, and none',
};
