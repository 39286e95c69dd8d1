import { attachments } from '@parley/domain';
import { commit } from '@parley/log';
import { realmGroupRows, realmSettingRows, roles, userSettingRows } from '@parley/protocol';
import { expect } from 'vitest';

import { type Json, type Person, type TestRealm, getWorld, picture, uploadEmoji } from '../support/index.ts';
import { channelActions, channelExercises } from './channel-actions.ts';

/** Prepares what the action needs, and returns the action. */
type Action = (people: TestRealm) => Promise<() => Promise<unknown>>;

const subscribe = async (by: Person, name: string, principals: Person[] = [by], more: object = {}) =>
  succeed(
    by.post('/users/me/subscriptions', {
      subscriptions: [{ name }],
      principals: principals.map(({ id }) => id),
      ...more,
    }),
  );

const send = (by: Person, params: object) => succeed(by.post('/messages', { content: 'hello', ...params }));
const toChannel = (by: Person, to: string) => send(by, { type: 'channel', to, topic: 'a topic' });

const react = (by: Person, id: number, emoji_name: string) =>
  succeed(by.post(`/messages/${id}/reactions`, { emoji_name }));

const change = (by: Person, id: number, params: object) =>
  succeed(by.patch(`/messages/${id}`, { ...params }));

async function succeed(reply: Promise<Json>): Promise<Json> {
  const body = await reply;
  expect(body).toMatchObject({ result: 'success' });
  return body;
}

/** Uploads something; answers with the address. */
const upload = async (by: Person): Promise<string> =>
  (await succeed(by.upload('/user_uploads', [{ name: 'a.txt', content: 'a' }]).then(({ body }) => body))).url;

const changeAvatar = (by: Person) =>
  succeed(
    by
      .upload('/users/me/avatar', [{ name: 'me.png', content: picture, type: 'image/png' }])
      .then(({ body }) => body),
  );

const actorsOf = async ({ alice }: TestRealm) => ({ needs: (await getWorld()).needs, actor: alice.actor });

/** Everything that changes what clients are shown: an entry per action of the domain. */
export const actions: Record<string, Action> = {
  ...channelActions,

  async 'sending to a channel'({ alice, bob, guest }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    await toChannel(alice, 'news');
    return () => toChannel(bob, 'news');
  },

  async 'the first message of a channel'({ alice, bob, guest }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    return () => toChannel(alice, 'news');
  },

  async 'the first message of a private channel'({ moderator, alice, bob, guest }) {
    await subscribe(moderator, 'secret', [alice, bob, guest], { invite_only: true });
    return () => toChannel(alice, 'secret');
  },

  async 'several messages at once into a new channel'({ alice, bob }) {
    await subscribe(alice, 'news', [alice, bob]);
    return () => Promise.all([alice, bob, alice, bob].map((by) => toChannel(by, 'news')));
  },

  async 'sending a direct message'({ alice, bob, owner }) {
    return () => send(alice, { type: 'direct', to: [bob.id, owner.id] });
  },

  async 'a note to oneself'({ alice, guest, owner, bob }) {
    return () =>
      Promise.all([alice, guest, owner, bob].map((by) => send(by, { type: 'direct', to: [by.id] })));
  },

  async 'reacting to messages'({ alice, bob, carol, guest, owner }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    await subscribe(bob, 'sealed', [alice, bob], { invite_only: true });
    const { id: open } = await toChannel(alice, 'news');
    const { id: sealed } = await toChannel(alice, 'sealed');
    const { id: direct } = await send(alice, { type: 'direct', to: [owner.id] });
    await subscribe(alice, 'sealed', [carol, guest]);
    await subscribe(alice, 'news', [carol]);
    await react(bob, open, 'heart');
    return async () => {
      await Promise.all([alice, bob, carol, guest, owner].map((by) => react(by, open, 'tada')));
      await react(bob, sealed, 'tada');
      await react(owner, direct, 'tada');
    };
  },

  async 'reacting where that means to follow'({ alice, bob }) {
    await subscribe(alice, 'news', [alice, bob]);
    const { id } = await toChannel(alice, 'news');
    await succeed(bob.patch('/settings', { automatically_follow_topics_policy: 1 }));
    return () => react(bob, id, 'tada');
  },

  async 'taking reactions back'({ alice, bob, guest }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    const { id } = await toChannel(alice, 'news');
    for (const by of [alice, bob, guest]) await react(by, id, 'tada');
    await react(bob, id, 'heart');
    return async () => {
      await succeed(bob.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
      await succeed(bob.delete(`/messages/${id}/reactions`, { emoji_code: '2764' }));
    };
  },

  async 'ending the use of custom emoji'(people) {
    const { alice, admin } = people;
    await uploadEmoji(people, 'one');
    await uploadEmoji(people, 'two');
    await uploadEmoji(people, 'three');
    return () =>
      Promise.all([succeed(alice.delete('/realm/emoji/one')), succeed(admin.delete('/realm/emoji/two'))]);
  },

  async 'creating a public channel for oneself'({ alice }) {
    return () => subscribe(alice, 'news');
  },

  async 'creating a public channel for others'({ alice, bob, guest }) {
    return () => subscribe(alice, 'news', [bob, guest]);
  },

  async 'creating a private channel'({ alice, bob, guest }) {
    return () => subscribe(alice, 'secret', [alice, bob, guest], { invite_only: true });
  },

  async 'creating a private channel for others'({ moderator, bob, guest }) {
    return () => subscribe(moderator, 'secret', [bob, guest], { invite_only: true });
  },

  async 'creating a private channel with protected history'({ alice, bob }) {
    return () =>
      subscribe(alice, 'secret', [alice, bob], { invite_only: true, history_public_to_subscribers: false });
  },

  async 'creating several channels at once'({ alice, bob, guest }) {
    return () =>
      succeed(
        alice.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'b' }, { name: 'A', color: '#ABC' }, { name: 'c', description: 'third' }],
          principals: [alice.id, bob.id, guest.id],
        }),
      );
  },

  async 'subscribing oneself to a channel'({ alice, bob }) {
    await subscribe(alice, 'news');
    await toChannel(alice, 'news');
    return () => subscribe(bob, 'news');
  },

  async 'subscribing others to a channel'({ alice, bob, carol, guest, owner }) {
    await subscribe(alice, 'news', [alice]);
    await toChannel(alice, 'news');
    return () => subscribe(alice, 'news', [bob, carol, guest, owner]);
  },

  async 'subscribing others to a private channel'({ moderator, alice, bob, guest }) {
    await subscribe(moderator, 'secret', [alice], { invite_only: true });
    await toChannel(alice, 'secret');
    return () => subscribe(alice, 'secret', [bob, guest]);
  },

  async 'subscribing the creator of a private channel'({ moderator, alice, bob }) {
    await subscribe(moderator, 'secret', [alice, bob], { invite_only: true });
    return () => subscribe(alice, 'secret', [moderator]);
  },

  async 'two people subscribing the same third one'({ alice, bob, guest }) {
    await subscribe(alice, 'news', [alice, bob]);
    return () => Promise.all([subscribe(alice, 'news', [guest]), subscribe(bob, 'news', [guest])]);
  },

  async 'two people creating the same channel'({ alice, bob }) {
    return () => Promise.all([subscribe(alice, 'news'), subscribe(bob, 'NEWS')]);
  },

  async 'reading, unreading and starring messages'({ alice, bob, guest, carol }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    const ids: number[] = [];
    for (let number = 0; number < 3; number += 1) ids.push((await toChannel(bob, 'news')).id);
    ids.push((await send(bob, { type: 'direct', to: [alice.id, carol.id] })).id);
    ids.push((await send(alice, { type: 'direct', to: [alice.id], read_by_sender: true })).id);
    const flag = (by: Person, op: string, name: string, messages: number[]) =>
      succeed(by.post('/messages/flags', { op, flag: name, messages }));
    await flag(alice, 'add', 'starred', ids.slice(0, 1));
    return async () => {
      await flag(alice, 'add', 'read', ids);
      await flag(alice, 'remove', 'read', ids.slice(1));
      await flag(alice, 'add', 'starred', ids.slice(1, 3));
      await flag(alice, 'remove', 'starred', ids.slice(0, 2));
      await flag(alice, 'add', 'collapsed', ids);
      await flag(carol, 'add', 'starred', ids.slice(0, 1));
      await flag(guest, 'add', 'read', ids.slice(0, 1));
    };
  },

  async 'reading everything, a channel and a topic'({ alice, bob, guest }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    await subscribe(alice, 'more', [alice, bob, guest]);
    for (const to of ['news', 'more']) {
      for (const topic of ['one', 'two']) await send(bob, { type: 'channel', to, topic });
    }
    await send(bob, { type: 'direct', to: [alice.id] });
    const { subscriptions } = await alice.get('/users/me/subscriptions');
    const [{ stream_id }] = subscriptions;
    return async () => {
      await succeed(alice.post('/mark_all_as_read'));
      await send(bob, { type: 'direct', to: [alice.id] });
      await succeed(bob.post('/mark_stream_as_read', { stream_id }));
      await succeed(guest.post('/mark_topic_as_read', { stream_id, topic_name: 'ONE' }));
    };
  },

  async 'reading everything while more comes'({ alice, bob }) {
    await subscribe(alice, 'news', [alice, bob]);
    return () =>
      Promise.all([
        ...Array.from({ length: 8 }, () => toChannel(bob, 'news')),
        ...Array.from({ length: 3 }, () => succeed(alice.post('/mark_all_as_read'))),
        send(bob, { type: 'direct', to: [alice.id] }),
      ]);
  },

  async 'a message that mentions people inside and outside of the channel'({
    alice,
    bob,
    carol,
    guest,
    bot,
  }) {
    await subscribe(alice, 'news', [alice, bob]);
    await toChannel(alice, 'news');
    const names = [bob, carol, guest, bot].map(({ name }) => `@**${name}**`).join(' ');
    return () => send(alice, { type: 'channel', to: 'news', topic: 'a topic', content: `${names} @**all**` });
  },

  async 'muting, following and clearing topics'({ alice, guest }) {
    await subscribe(alice, 'news', [alice, guest]);
    const { stream_id: channel } = (await alice.get('/users/me/subscriptions')).subscriptions[0];
    const set = (by: Person, topic: string, visibility_policy: number) =>
      succeed(by.post('/user_topics', { stream_id: channel, topic, visibility_policy }));
    await set(alice, 'old', 1);
    return async () => {
      await set(alice, 'old', 0);
      await set(alice, '', 3);
      await set(guest, 'a topic', 2);
      await set(alice, 'A topic', 1);
      await succeed(
        guest.patch('/users/me/subscriptions/muted_topics', {
          stream_id: channel,
          topic: 'older',
          op: 'add',
        }),
      );
    };
  },

  async 'a new member'({ join }) {
    return () => join({ name: 'Newcomer' });
  },

  async 'a new owner, administrator and moderator'({ join }) {
    return async () => {
      for (const role of [roles.owner, roles.administrator, roles.moderator]) {
        await join({ name: `Number ${role}`, role });
      }
    };
  },

  async 'a new guest'({ join }) {
    return () => join({ name: 'Visitor', role: roles.guest });
  },

  async 'a new bot'({ join, alice }) {
    return () => join({ name: 'Robot', botType: 1, botOwnerId: alice.id });
  },

  async 'a new member who is subscribed and writes'({ join, alice }) {
    await subscribe(alice, 'news');
    return async () => {
      const newcomer = await join({ name: 'Newcomer' });
      await subscribe(alice, 'news', [newcomer]);
      await toChannel(newcomer, 'news');
    };
  },

  async 'changing names, addresses and roles of others'({ owner, alice, bob, bot }) {
    await grant(owner);
    await succeed(bob.patch('/settings', { email_address_visibility: 3 }));
    return async () => {
      await succeed(owner.patch(`/users/${alice.id}`, { full_name: 'Alina', role: 300 }));
      await succeed(owner.patch(`/users/${bot.id}`, { full_name: 'Robot', role: 600 }));
      await succeed(owner.patch(`/users/user${bob.id}@${bob.realm.host}`, { role: 600 }));
      const newcomer = await succeed(
        owner.post('/users', { email: 'n@example.com', password: 'correct horse', full_name: 'New' }),
      );
      await succeed(owner.patch(`/users/${newcomer.user_id}`, { new_email: 'm@example.com' }));
      await succeed(owner.patch('/users/m@example.com', { full_name: 'Newer' }));
    };
  },

  async 'up and down through all roles'({ owner, alice, bob, carol, guest, moderator, join }) {
    await subscribe(bob, 'open', [bob, guest]);
    await subscribe(alice, 'mine', [alice]);
    await subscribe(moderator, 'secret', [moderator, bob], { invite_only: true });
    await subscribe(bob, 'hers', [bob, carol], { invite_only: true });
    await toChannel(bob, 'open');
    for (const [index, visibility] of [2, 3, 4, 5].entries()) {
      const shy = await join({ name: `Shy ${index}` });
      await succeed(shy.patch('/settings', { email_address_visibility: visibility }));
    }
    return async () => {
      for (const role of [300, 200, 100, 200, 300, 400, 600, 400, 100, 600, 300]) {
        const allowed = role <= 200 ? [400, role] : [role];
        for (const to of allowed) await succeed(owner.patch(`/users/${alice.id}`, { role: to }));
      }
      await succeed(owner.patch(`/users/${carol.id}`, { role: 600 }));
      await succeed(owner.patch(`/users/${guest.id}`, { role: 400 }));
    };
  },

  async 'an account that ends'({ admin, alice, guest, moderator, join }) {
    const dora = await join({ name: 'Dora' });
    await join({ name: 'Doras bot', botType: 1, botOwnerId: dora.id });
    const gone = await join({ name: 'Gone', role: roles.guest });
    await subscribe(alice, 'news', [alice, dora, guest, gone]);
    await subscribe(moderator, 'secret', [moderator, dora], { invite_only: true });
    return async () => {
      await succeed(admin.delete(`/users/${dora.id}`));
      await succeed(gone.delete('/users/me'));
    };
  },

  async 'an account that ends and begins again'({ admin, alice, bob, guest, moderator, join }) {
    const dora = await join({ name: 'Dora' });
    const robot = await join({ name: 'Doras bot', botType: 1, botOwnerId: dora.id });
    const gone = await join({ name: 'Gone', role: roles.guest });
    await subscribe(alice, 'news', [alice, dora, guest, gone]);
    await subscribe(moderator, 'secret', [moderator, dora], { invite_only: true });
    return async () => {
      for (const one of [dora, gone]) await succeed(admin.delete(`/users/${one.id}`));
      await toChannel(alice, 'news');
      await succeed(admin.patch(`/users/${dora.id}`, { full_name: 'Theodora', role: 300 }));
      for (const one of [dora, gone, robot]) await succeed(admin.post(`/users/${one.id}/reactivate`));
      await toChannel(dora, 'news');
      await subscribe(alice, 'news', [bob]);
    };
  },

  async 'alert words and muted users'({ alice, bob, carol }) {
    await subscribe(alice, 'news', [alice, bob, carol]);
    await toChannel(carol, 'news');
    await succeed(bob.post('/users/me/alert_words', { alert_words: ['tea', 'milk'] }));
    return async () => {
      await succeed(alice.post('/users/me/alert_words', { alert_words: ['Hello', 'coffee', 'hello'] }));
      await succeed(bob.delete('/users/me/alert_words', { alert_words: ['TEA'] }));
      await succeed(alice.post(`/users/me/muted_users/${carol.id}`));
      await toChannel(carol, 'news');
      await toChannel(bob, 'news');
      await succeed(bob.post(`/users/me/muted_users/${alice.id}`));
      await succeed(bob.delete(`/users/me/muted_users/${alice.id}`));
      await toChannel(alice, 'news');
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

  async 'bots of all kinds, changed, given away and ended'({ owner, admin, alice, bob, join }) {
    await subscribe(alice, 'news', [alice]);
    const spare = await join({ name: 'Spare', botType: 1, botOwnerId: alice.id });
    const make = (by: Person, name: string, more: object = {}) =>
      succeed(by.post('/bots', { full_name: name, short_name: name.toLowerCase(), ...more }));
    const outgoing = { bot_type: 3, payload_url: '"https://bots.example/a"' };
    const own = await make(alice, 'Own', { default_sending_stream: 'news' });
    return async () => {
      const caller = await make(alice, 'Caller', outgoing);
      await make(admin, 'Writer', { bot_type: 2, default_all_public_streams: true });
      const path = `/bots/${caller.user_id}`;
      await succeed(
        alice.patch(path, { service_payload_url: '"https://bots.example/b"', service_interface: 2 }),
      );
      await succeed(alice.patch(path, { full_name: 'Called', default_events_register_stream: 'news' }));
      await succeed(admin.patch(path, { role: 300 }));
      await succeed(alice.post(`/bots/${own.user_id}/api_key/regenerate`));
      await succeed(spare.post('/users/me/api_key/regenerate'));
      await succeed(alice.patch(path, { bot_owner_id: bob.id }));
      await succeed(bob.patch(path, { bot_owner_id: owner.id }));
      await succeed(owner.patch(`/bots/${own.user_id}`, { bot_owner_id: bob.id }));
      await succeed(bob.delete(`/bots/${own.user_id}`));
      await succeed(admin.post(`/users/${own.user_id}/reactivate`));
      await succeed(owner.delete(path));
    };
  },

  async 'changing every setting of one’s own'({ alice }) {
    return () =>
      succeed(
        alice.patch('/settings', { ...otherSettings(), full_name: 'Alina', timezone: 'Europe/Berlin' }),
      );
  },

  async 'changing what new accounts start with'({ admin, join }) {
    const { email_address_visibility, ...settings } = otherSettings(({ isPersonal }) => !isPersonal);
    return async () => {
      await succeed(admin.patch('/realm/user_settings_defaults', settings));
      await succeed(admin.patch('/realm/user_settings_defaults', { email_address_visibility }));
      await join({ name: 'Newcomer' });
    };
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

  async 'changing every setting of the organization'({ owner, alice }) {
    await subscribe(owner, 'news', [owner, alice]);
    await subscribe(owner, 'secret', [owner], { invite_only: true });
    const { streams } = await owner.get('/streams');
    const idOf = (wanted: string): number => streams.find(({ name }: Json) => name === wanted).stream_id;
    const settings = Object.fromEntries(
      realmSettingRows.map(([name, row]) => [name, otherRealmValue(row, idOf)]),
    );
    return async () => {
      await succeed(owner.patch('/realm', { ...settings, name: 'Renamed', description: 'All is new' }));
      await succeed(owner.patch('/realm', { message_content_edit_limit_seconds: '"unlimited"' }));
    };
  },

  async 'changing every permission of the organization'({ owner, alice }) {
    const { realm_user_groups: groups } = await owner.post('/register', {
      fetch_event_types: ['realm_user_groups'],
    });
    const idOf = (name: string): number => groups.find((group: Json) => group.name === name).id;
    return async () => {
      for (const [name, { systemGroups, default: present }] of realmGroupRows) {
        const other = systemGroups?.find((group) => group !== present);
        // One that only a single group may hold stays with it.
        if (systemGroups && !other) continue;
        const to = other
          ? idOf(other)
          : { direct_members: [alice.id], direct_subgroups: [idOf('role:moderators')] };
        await succeed(owner.patch('/realm', { [name]: { new: to } }));
      }
    };
  },

  async 'uploading a file'({ alice }) {
    return () => upload(alice);
  },

  async 'sending messages with files'({ alice, bob, guest }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    const [first, second] = [await upload(alice), await upload(alice)];
    return async () => {
      await send(alice, { type: 'channel', to: 'news', topic: 't', content: `[a](${first}) ${second}.` });
      // Someone who may read it sends it on.
      await send(bob, { type: 'direct', to: [guest.id], content: `look: ${first}` });
    };
  },

  async 'two people sending the same file at once'({ alice, bob }) {
    await subscribe(alice, 'news', [alice, bob]);
    const file = await upload(alice);
    await send(alice, { type: 'channel', to: 'news', topic: 't', content: file });
    return () =>
      Promise.all(
        [alice, bob, alice, bob].map((by) =>
          send(by, { type: 'channel', to: 'news', topic: 't', content: file }),
        ),
      );
  },

  async 'taking files out of messages'(people) {
    const { alice, bob } = people;
    const { needs, actor } = await actorsOf(people);
    const file = await upload(alice);
    const { id } = await send(alice, { type: 'direct', to: [bob.id], content: file });
    await send(alice, { type: 'direct', to: [bob.id], content: `again ${file}` });
    return () =>
      commit(needs, people.realm.id, async (tx) => {
        const { events } = await attachments.reclaim(tx, actor, { messageId: id, content: 'nothing' });
        return { events, keepsRules: true };
      });
  },

  async 'deleting a file that messages refer to'({ alice, bob }) {
    const file = await upload(alice);
    await send(alice, { type: 'direct', to: [bob.id], content: file });
    const [{ id }] = (await alice.get('/attachments')).attachments;
    return () => succeed(alice.delete(`/attachments/${id}`));
  },

  async 'a file that nobody needed'(people) {
    await upload(people.alice);
    const [{ id }] = (await people.alice.get('/attachments')).attachments;
    const { needs } = await actorsOf(people);
    return () =>
      commit(needs, people.realm.id, (tx) =>
        attachments.expire(tx, people.realm.id, id, new Date(Date.now() + 60_000)),
      );
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

  async 'a newcomer whose address only some may know'({ owner, join }) {
    return async () => {
      for (const visibility of [2, 5, 3, 4]) {
        await succeed(owner.patch('/realm/user_settings_defaults', { email_address_visibility: visibility }));
        await join({ name: `Shy ${visibility}` });
      }
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
  async 'editing messages'({ alice, bob, guest }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    const ids = [
      await toChannel(alice, 'news'),
      await send(alice, { type: 'direct', to: [bob.id] }),
      await toChannel(alice, 'news'),
    ].map(({ id }) => id);
    await change(alice, ids[2], { content: 'once' });
    return async () => {
      for (const id of ids) await change(alice, id, { content: '/me changes' });
      for (const content of ['@**Bob** and @**Gus**', '@**all**, @**topic**', 'nobody']) {
        for (const id of ids) await change(alice, id, { content });
      }
      await change(alice, ids[0], { content: 'again', topic: 'another', propagate_mode: 'change_all' });
    };
  },

  async 'editing a message of a channel with protected history'({ moderator, alice, bob, carol }) {
    const more = { invite_only: true, history_public_to_subscribers: false };
    await subscribe(moderator, 'secret', [alice, bob], more);
    const { id } = await toChannel(alice, 'secret');
    await subscribe(alice, 'secret', [carol]);
    return () => change(alice, id, { content: 'other' });
  },

  async 'moving messages from topic to topic'({ alice, bob, carol, guest }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    const ids: number[] = [];
    for (const topic of ['a', 'a', 'a', 'b', '']) {
      ids.push((await send(bob, { type: 'channel', to: 'news', topic })).id);
    }
    const [first = 0, second = 0, , , last = 0] = ids;
    const { stream_id } = (await alice.get('/users/me/subscriptions')).subscriptions[0];
    const policies = [
      [alice, 'a', 1],
      [bob, 'a', 3],
      [bob, 'b', 1],
      [guest, 'b', 1],
      [carol, 'c', 3],
      [guest, 'c', 1],
    ] as const;
    for (const [by, topic, visibility_policy] of policies) {
      await succeed(by.post('/user_topics', { stream_id, topic, visibility_policy }));
    }
    return async () => {
      await change(alice, second, { topic: 'b' });
      await change(alice, first, { topic: 'c', propagate_mode: 'change_all' });
      await change(guest, first, { topic: 'C', propagate_mode: 'change_all' });
      await change(alice, first, { topic: 'b', propagate_mode: 'change_later' });
      await change(bob, last, { topic: 'x', send_notification_to_old_thread: true });
      await change(bob, last, { topic: '', send_notification_to_new_thread: false });
    };
  },

  async 'moving messages from channel to channel'({ moderator, alice, bob, carol, guest, admin }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    await subscribe(alice, 'food', [alice, carol]);
    await subscribe(alice, 'secret', [alice, bob, admin], { invite_only: true });
    const more = { invite_only: true, history_public_to_subscribers: false };
    await subscribe(moderator, 'vault', [alice, guest, carol], more);
    const channels = (await alice.get('/users/me/subscriptions')).subscriptions;
    const idOf = (name: string) => channels.find((one: Json) => one.name === name).stream_id;
    const ids: number[] = [];
    for (const topic of ['a', 'a', 'b']) {
      ids.push((await send(bob, { type: 'channel', to: 'news', topic })).id);
    }
    const [first = 0, second = 0, third = 0] = ids;
    for (const by of [alice, bob, guest]) {
      const policy = { topic: 'a', visibility_policy: by === guest ? 1 : 3 };
      await succeed(by.post('/user_topics', { stream_id: idOf('news'), ...policy }));
    }
    const all = { propagate_mode: 'change_all' };
    return async () => {
      await change(alice, second, { stream_id: idOf('food') });
      await change(alice, first, { stream_id: idOf('secret'), ...all });
      await change(alice, third, { stream_id: idOf('vault'), topic: 'c', ...all });
      await change(alice, second, {
        stream_id: idOf('vault'),
        ...all,
        send_notification_to_old_thread: true,
      });
      await change(alice, first, { stream_id: idOf('news'), topic: 'd', ...all });
      await change(alice, second, { stream_id: idOf('food'), topic: 'd', ...all });
    };
  },

  async 'resolving topics and taking it back'({ alice, bob, guest }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    const { id } = await toChannel(alice, 'news');
    const { stream_id } = (await alice.get('/users/me/subscriptions')).subscriptions[0];
    await succeed(bob.post('/user_topics', { stream_id, topic: 'a topic', visibility_policy: 3 }));
    const all = { propagate_mode: 'change_all' };
    return async () => {
      await change(alice, id, { topic: '✔ a topic', ...all });
      await change(guest, id, { topic: 'a topic', ...all });
      await change(guest, id, { topic: '✔ a topic', ...all });
    };
  },

  async 'deleting messages'({ alice, bob, guest, admin }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    const ids = [
      await toChannel(alice, 'news'),
      await toChannel(alice, 'news'),
      await send(alice, { type: 'direct', to: [bob.id] }),
      await toChannel(bob, 'news'),
    ].map(({ id }) => id);
    return async () => {
      for (const [by, index] of [
        [alice, 0],
        [admin, 3],
        [alice, 2],
      ] as const) {
        await succeed(by.delete(`/messages/${ids[index]}`));
      }
    };
  },

  async 'deleting a topic'({ alice, bob, guest, admin }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    for (const by of [alice, bob]) await toChannel(by, 'news');
    await send(alice, { type: 'channel', to: 'news', topic: 'other' });
    const { stream_id } = (await alice.get('/users/me/subscriptions')).subscriptions[0];
    await succeed(bob.post('/user_topics', { stream_id, topic: 'a topic', visibility_policy: 1 }));
    return () => succeed(admin.post(`/streams/${stream_id}/delete_topic`, { topic_name: 'A Topic' }));
  },

  async 'reporting a message'({ owner, moderator, alice, bob }) {
    await subscribe(moderator, 'desk', [moderator, bob, owner], { invite_only: true });
    const { stream_id } = (await moderator.get('/users/me/subscriptions')).subscriptions[0];
    await succeed(owner.patch('/realm', { moderation_request_channel_id: stream_id }));
    const { id } = await send(bob, { type: 'direct', to: [alice.id] });
    return () => succeed(alice.post(`/messages/${id}/report`, { report_type: 'spam' }));
  },
};

/** What the operator of the server permits some owners. */
async function grant({ id }: Person): Promise<void> {
  const { sql } = await getWorld();
  await sql`update users set can_create_users = true, can_change_user_emails = true where id = ${id}`;
}

/** For each setting a value other than its default. */
function otherSettings(isWanted: (row: (typeof userSettingRows)[number][1]) => boolean = () => true): Json {
  const candidates = [true, false, 1, 2, 3, 'always', 'never', 'text', 'all_messages', 'bell', 'de'];
  return Object.fromEntries(
    userSettingRows
      .filter(([, row]) => isWanted(row))
      .map(([name, { schema, default: usual }]) => {
        const other = candidates.find((value) => value !== usual && schema.safeParse(value).success);
        expect(other, name).toBeDefined();
        return [name, other];
      }),
  );
}

function otherRealmValue(
  { schema, default: usual, isChannel, unlimited }: (typeof realmSettingRows)[number][1],
  idOf: (channel: string) => number,
): unknown {
  if (isChannel) return idOf(isChannel === 'private' ? 'secret' : 'news');
  if (unlimited !== undefined) return 77;
  const candidates = [true, false, 0, 1, 2, 3, 'moves', 'disable_empty_topic', 'de'];
  const other = candidates.find((value) => value !== usual && schema.safeParse(value).success);
  return schema.safeParse(null).success ? '"https://jitsi.example"' : other;
}

/** Which of the above exercises each action of the domain; null for one that tells no client anything. */
export const exercised: Record<string, string | null> = {
  'attachments/claim': 'sending messages with files',
  'attachments/create': 'uploading a file',
  'attachments/expire': 'a file that nobody needed',
  'attachments/present': 'uploading a file',
  'attachments/release': 'taking files out of messages',
  'attachments/remove': 'deleting a file that messages refer to',
  'emoji/deactivate': 'ending the use of custom emoji',
  ...channelExercises,
  'messages/delete': 'deleting messages',
  'messages/edit/edit': 'editing messages',
  'messages/edit/move': 'moving messages from channel to channel',
  'messages/edit/notices': 'resolving topics and taking it back',
  'messages/edit/policies': 'moving messages from topic to topic',
  'messages/first-message': 'deleting messages',
  'messages/report': 'reporting a message',
  'messages/change-flags': 'reading, unreading and starring messages',
  'messages/plan': 'sending to a channel',
  'messages/send': 'a message that mentions people inside and outside of the channel',
  'user-topics/change': 'muting, following and clearing topics',
  'user-topics/set': 'muting, following and clearing topics',
  'alert-words/add': 'alert words and muted users',
  'alert-words/remove': 'alert words and muted users',
  'bots/create': 'bots of all kinds, changed, given away and ended',
  'bots/deactivate': 'bots of all kinds, changed, given away and ended',
  'bots/draft': 'bots of all kinds, changed, given away and ended',
  'bots/edit': 'bots of all kinds, changed, given away and ended',
  'muted-users/mute': 'alert words and muted users',
  'muted-users/unmute': 'alert words and muted users',
  'profile-fields/create': 'profile fields, filled in, changed and removed',
  'profile-fields/edit': 'profile fields, filled in, changed and removed',
  'profile-fields/present': 'profile fields, filled in, changed and removed',
  'profile-fields/remove': 'profile fields, filled in, changed and removed',
  'profile-fields/reorder': 'profile fields, filled in, changed and removed',
  'profile-fields/set': 'profile fields, filled in, changed and removed',
  'realms/edit': 'changing every setting of the organization',
  'realms/edit-user-defaults': 'changing what new accounts start with',
  'users/change-avatar': 'a new picture of oneself, and another, and none',
  'user-status/set': 'setting, changing and clearing statuses',
  'users/change': 'changing every setting of one’s own',
  'users/create': 'a new member',
  'users/come-and-go': 'an account that ends and begins again',
  'users/deactivate': 'an account that ends',
  'users/edit': 'changing names, addresses and roles of others',
  'users/edit-settings': 'changing every setting of one’s own',
  'reactions/add': 'reacting to messages',
  'reactions/draft': 'reacting to messages',
  'reactions/remove': 'taking reactions back',
  'users/reactivate': 'an account that ends and begins again',
  'users/present': 'a new picture of oneself, and another, and none',
  'users/regenerate-key': null,
  'users/role': 'up and down through all roles',
  'users/sight': 'hiding one’s address more and more, and showing it again',
};
