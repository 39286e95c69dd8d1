import { channels } from '@parley/domain';
import { commit } from '@parley/log';
import { expect } from 'vitest';

import { getWorld, groupId, type Json, type Person, type TestRealm } from '../support/index.ts';

type Action = (people: TestRealm) => Promise<() => Promise<unknown>>;

async function succeed(reply: Promise<Json>): Promise<Json> {
  const body = await reply;
  expect(body).toMatchObject({ result: 'success' });
  return body;
}

const idsOf = (people: Person[]) => people.map(({ id }) => id);

const create = async (
  by: Person,
  name: string,
  subscribers: Person[] = [by],
  more: Record<string, unknown> = {},
) => (await succeed(by.post('/channels/create', { name, subscribers: idsOf(subscribers), ...more }))).id;

const edit = (by: Person, id: number, changes: Record<string, unknown>) =>
  succeed(by.patch(`/streams/${id}`, changes));
const change = (value: Json) => ({ new: value });
const only = (...people: Person[]) => change({ direct_members: idsOf(people), direct_subgroups: [] });

const leave = (by: Person, names: string[], principals: Person[] = [by]) =>
  succeed(by.delete('/users/me/subscriptions', { subscriptions: names, principals: idsOf(principals) }));

const send = (by: Person, to: string) =>
  succeed(by.post('/messages', { type: 'channel', to, topic: 'a topic', content: 'hello' }));

/** For the organizations in which everyone may look into some channels. */
async function openToSpectators({ realm }: TestRealm): Promise<void> {
  const { sql } = await getWorld();
  await sql`update realms set settings = settings || '{"enable_spectator_access": true}' where id = ${realm.id}`;
}

const isPrivate = { invite_only: true };

/** How channels come, change and go, who is in them, and what each has set about them. */
export const channelActions: Record<string, Action> = {
  async 'creating a channel with all there is to say'({ owner, alice, bob, guest }) {
    const { channel_folder_id: folder_id } = await succeed(
      owner.post('/channel_folders/create', { name: 'Work', description: '' }),
    );
    const announcements = await create(owner, 'announcements', [owner, alice]);
    await succeed(owner.patch('/realm', { new_stream_announcements_stream_id: announcements }));
    return async () => {
      await create(owner, 'everything', [alice, bob, guest], {
        description: 'All of *it*',
        announce: true,
        is_default_stream: true,
        folder_id,
        topics_policy: 'allow_empty_topic',
        message_retention_days: 30,
        can_send_message_group: await groupId(owner, 'role:moderators'),
        can_subscribe_group: { direct_members: [bob.id], direct_subgroups: [] },
      });
      await create(alice, 'for nobody', []);
    };
  },

  async 'creating a private channel that others may come into'({ moderator, alice, bob, guest }) {
    return () =>
      create(moderator, 'secret', [alice], {
        ...isPrivate,
        can_subscribe_group: { direct_members: [bob.id, guest.id], direct_subgroups: [] },
      });
  },

  async 'creating a web-public channel'(people) {
    const { owner, alice, guest } = people;
    await openToSpectators(people);
    return async () => {
      await create(owner, 'open to all', [alice], { is_web_public: true });
      await succeed(
        alice.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'open to all' }],
          principals: [guest.id],
        }),
      );
    };
  },

  async 'changing what a channel is called and how it is kept'({ owner, alice, bob, guest }) {
    const id = await create(alice, 'news', [alice, bob, guest]);
    const { channel_folder_id } = await succeed(
      owner.post('/channel_folders/create', { name: 'Work', description: '' }),
    );
    return async () => {
      await edit(alice, id, {
        new_name: 'Olds',
        description: 'What\n was',
        topics_policy: 'disable_empty_topic',
      });
      await edit(owner, id, {
        folder_id: channel_folder_id,
        message_retention_days: 7,
        is_default_stream: true,
      });
      await edit(owner, id, { message_retention_days: 'unlimited', folder_id: null });
    };
  },

  async 'hiding a public channel'({ owner, alice, bob, carol, guest }) {
    const id = await create(alice, 'news', [alice, carol, guest]);
    await send(alice, 'news');
    // Someone who was in it once, and someone who treats a topic of it otherwise.
    await succeed(bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }] }));
    await leave(bob, ['news']);
    await succeed(bob.post('/user_topics', { stream_id: id, topic: 'a topic', visibility_policy: 3 }));
    await succeed(owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }] }));
    await leave(owner, ['news']);
    return async () => {
      await edit(alice, id, { is_private: true, history_public_to_subscribers: false });
      await edit(alice, id, { history_public_to_subscribers: true });
    };
  },

  async 'hiding a public channel and showing it again'({ alice, bob, carol, guest }) {
    const id = await create(alice, 'news', [alice, carol, guest]);
    await succeed(bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }] }));
    await leave(bob, ['news']);
    return async () => {
      await edit(alice, id, { is_private: true });
      await edit(alice, id, { is_private: false });
      await send(alice, 'news');
    };
  },

  async 'showing a private channel'({ moderator, alice, bob, guest }) {
    const id = await create(moderator, 'secret', [moderator, alice, guest], {
      ...isPrivate,
      can_add_subscribers_group: { direct_members: [bob.id], direct_subgroups: [] },
    });
    return () => edit(moderator, id, { is_private: false });
  },

  async 'showing a channel to everyone on the web, and hiding it'(people) {
    const { owner, alice, bob } = people;
    await openToSpectators(people);
    const id = await create(owner, 'news', [owner, alice]);
    return async () => {
      await edit(owner, id, { is_web_public: true });
      await edit(owner, id, { is_web_public: false });
      await edit(owner, id, { is_web_public: true });
      await edit(owner, id, { is_private: true, is_web_public: false });
      await edit(owner, id, { is_private: false, is_web_public: true });
      await edit(owner, id, { description: `for ${bob.name}` });
    };
  },

  async 'changing who may do what in a channel'({ owner, alice, bob, guest }) {
    const id = await create(owner, 'news', [owner, alice, guest]);
    const [moderators, everyone, admins] = await Promise.all(
      ['role:moderators', 'role:everyone', 'role:administrators'].map((name) => groupId(owner, name)),
    );
    return async () => {
      await edit(owner, id, { can_send_message_group: { new: moderators, old: everyone } });
      await edit(owner, id, {
        can_send_message_group: change(admins),
        can_administer_channel_group: only(alice),
        can_remove_subscribers_group: only(bob, alice),
      });
      await edit(alice, id, { can_send_message_group: change(everyone) });
    };
  },

  async 'letting others see a private channel, and no more'({ owner, moderator, alice, bob, carol, guest }) {
    const id = await create(moderator, 'secret', [moderator, alice, guest], isPrivate);
    const [members, nobody] = await Promise.all(
      ['role:members', 'role:nobody'].map((name) => groupId(owner, name)),
    );
    return async () => {
      await edit(moderator, id, { can_subscribe_group: only(bob, guest) });
      await edit(moderator, id, { can_add_subscribers_group: change(members) });
      await succeed(bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }] }));
      await leave(bob, ['secret']);
      await edit(moderator, id, { can_add_subscribers_group: only(carol) });
      await edit(moderator, id, {
        can_subscribe_group: change(nobody),
        can_administer_channel_group: only(bob),
      });
    };
  },

  async 'archiving channels'({ owner, moderator, alice, bob, guest }) {
    const id = await create(owner, 'news', [alice, bob, guest], { is_default_stream: true });
    const group = { group_name: 'A group', description: '', stream_names: ['quiet'] };
    const quiet = await succeed(
      alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'quiet' }] }),
    ).then(async () => (await alice.get('/get_stream_id', { stream: 'quiet' })).stream_id);
    const secret = await create(moderator, 'secret', [alice, guest], isPrivate);
    await succeed(owner.post('/default_stream_groups/create', group));
    await succeed(owner.patch('/realm', { new_stream_announcements_stream_id: id }));
    return async () => {
      for (const one of [id, quiet, secret]) await succeed(owner.delete(`/streams/${one}`));
      await edit(owner, id, { new_name: 'was news', can_administer_channel_group: only(bob) });
      await leave(bob, ['was news']);
      await leave(guest, ['secret']);
    };
  },

  async 'bringing channels back from the archive'({ owner, moderator, alice, bob, guest }) {
    const id = await create(owner, 'news', [alice, bob, guest]);
    const secret = await create(moderator, 'secret', [alice, guest], isPrivate);
    await succeed(alice.patch(`/users/me/subscriptions/${id}`, { property: 'color', value: '#abcdef' }));
    await succeed(owner.delete(`/streams/${id}`));
    await succeed(owner.delete(`/streams/${secret}`));
    await succeed(alice.patch(`/users/me/subscriptions/${id}`, { property: 'pin_to_top', value: true }));
    return async () => {
      await edit(owner, id, { is_archived: false, description: 'Again' });
      await edit(owner, secret, { is_archived: false });
      await send(alice, 'news');
    };
  },

  async 'channels that fall asleep and wake up'({ moderator, alice, guest, realm }) {
    const news = await create(alice, 'news', [alice, guest]);
    const secret = await create(moderator, 'secret', [alice, guest], isPrivate);
    const { needs } = await getWorld();
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const refresh = (id: number, now: Date) =>
      commit(needs, realm.id, (tx) => channels.refreshActivity(tx, realm.id, id, now));
    return async () => {
      await refresh(news, inDays(200));
      await refresh(news, inDays(0));
      await refresh(secret, inDays(200));
    };
  },

  async 'leaving channels'({ moderator, alice, bob, guest, bot }) {
    await create(moderator, 'news', [alice, bob, guest, bot]);
    await create(moderator, 'secret', [alice, bob, guest], isPrivate);
    await send(alice, 'news');
    return async () => {
      await leave(alice, ['news', 'secret']);
      await leave(guest, ['news', 'secret']);
      await leave(bot, ['news']);
    };
  },

  async 'taking others out of channels'({ owner, admin, moderator, alice, bob, guest, bot }) {
    await create(moderator, 'news', [alice, bob, guest, bot]);
    await create(moderator, 'secret', [admin, moderator, alice, bob, guest], isPrivate);
    return async () => {
      await leave(admin, ['news', 'secret'], [alice, guest, moderator, admin]);
      await leave(owner, ['news'], [bot]);
    };
  },

  async 'leaving a channel and coming back'({ alice, bob, guest }) {
    const id = await create(alice, 'news', [alice, bob, guest]);
    await succeed(bob.patch(`/users/me/subscriptions/${id}`, { property: 'is_muted', value: true }));
    await send(alice, 'news');
    return async () => {
      await leave(bob, ['news']);
      await leave(guest, ['news']);
      await send(alice, 'news');
      const again = { subscriptions: [{ name: 'news' }], principals: idsOf([bob, guest]) };
      await succeed(alice.post('/users/me/subscriptions', again));
    };
  },

  async 'coming into channels and leaving others at once'({ alice, bob }) {
    await create(alice, 'here', [alice, bob]);
    await create(alice, 'there', [alice]);
    return () =>
      succeed(
        bob.patch('/users/me/subscriptions', { add: [{ name: 'there' }, { name: 'new' }], delete: ['HERE'] }),
      );
  },

  async 'setting what one wants of a channel'({ alice, guest }) {
    const id = await create(alice, 'news', [alice, guest]);
    const set = (property: string, value: Json) => ({ stream_id: id, property, value });
    return async () => {
      for (const by of [alice, guest]) {
        await succeed(
          by.post('/users/me/subscriptions/properties', {
            subscription_data: [
              set('color', '#F0A'),
              set('is_muted', true),
              set('in_home_view', true),
              set('pin_to_top', true),
              set('desktop_notifications', true),
              set('audible_notifications', false),
              set('push_notifications', true),
              set('email_notifications', true),
              set('wildcard_mentions_notify', false),
            ],
          }),
        );
      }
      await succeed(alice.patch(`/users/me/subscriptions/${id}`, { property: 'in_home_view', value: false }));
    };
  },

  async 'choosing the channels of newcomers'({ owner, admin, alice, join }) {
    const [one, two] = [await create(alice, 'one'), await create(alice, 'two')];
    return async () => {
      await succeed(admin.post('/default_streams', { stream_id: one }));
      await succeed(owner.post('/default_streams', { stream_id: two }));
      await succeed(admin.delete('/default_streams', { stream_id: one }));
      await join({ name: 'Newcomer' });
      await join({ name: 'Visitor', role: 600 });
    };
  },

  async 'two administrators choosing channels for newcomers at once'({ owner, admin, alice }) {
    const [one, two] = [await create(alice, 'one'), await create(alice, 'two')];
    return () =>
      Promise.all([
        succeed(admin.post('/default_streams', { stream_id: one })),
        succeed(owner.post('/default_streams', { stream_id: two })),
      ]);
  },

  async 'naming sets of channels for newcomers'({ owner, admin, alice }) {
    for (const name of ['one', 'two', 'three']) await create(alice, name);
    const named = async (name: string) =>
      (
        await admin.post('/register', { fetch_event_types: ['default_stream_groups'] })
      ).realm_default_stream_groups.find((group: Json) => group.name === name).id;
    const make = (group_name: string) =>
      succeed(
        admin.post('/default_stream_groups/create', { group_name, description: '', stream_names: ['one'] }),
      );
    await make('Old');
    return async () => {
      await make('New');
      const id = await named('New');
      await succeed(
        owner.patch(`/default_stream_groups/${id}`, { new_group_name: 'Newer', new_description: 'x' }),
      );
      const list = (op: string, stream_names: string[]) =>
        succeed(admin.patch(`/default_stream_groups/${id}/streams`, { op, stream_names }));
      await list('add', ['three', 'two']);
      await list('remove', ['one']);
      await succeed(admin.delete(`/default_stream_groups/${await named('Old')}`));
    };
  },

  async 'making, changing and ordering folders'({ owner, admin }) {
    const make = async (name: string) =>
      (await succeed(owner.post('/channel_folders/create', { name, description: 'x' }))).channel_folder_id;
    const [one, two] = [await make('one'), await make('two')];
    return async () => {
      const three = await make('three');
      await succeed(admin.patch(`/channel_folders/${two}`, { name: 'TWO', description: 'y' }));
      await succeed(admin.patch(`/channel_folders/${one}`, { is_archived: true }));
      await succeed(owner.patch('/channel_folders', { order: [three, one, two] }));
    };
  },
};

/** Which of the above exercises each action that is about channels. */
export const channelExercises: Record<string, string | null> = {
  'channel-folders/create': 'making, changing and ordering folders',
  'channel-folders/edit': 'making, changing and ordering folders',
  'channel-folders/reorder': 'making, changing and ordering folders',
  'channels/activity': 'channels that fall asleep and wake up',
  'channels/archive': 'archiving channels',
  'channels/change-subscriptions': 'coming into channels and leaving others at once',
  'channels/create': 'creating a channel with all there is to say',
  'channels/default-groups': 'naming sets of channels for newcomers',
  'channels/defaults': 'choosing the channels of newcomers',
  'channels/edit': 'changing what a channel is called and how it is kept',
  'channels/editing': 'changing what a channel is called and how it is kept',
  'channels/edit-details': 'changing what a channel is called and how it is kept',
  'channels/edit-permissions': 'changing who may do what in a channel',
  'channels/edit-privacy': 'hiding a public channel',
  'channels/edit-subscriptions': 'setting what one wants of a channel',
  'channels/join': 'leaving a channel and coming back',
  'channels/notices': 'creating a channel with all there is to say',
  'channels/regard': 'up and down through all roles',
  'channels/sight': 'letting others see a private channel, and no more',
  'channels/subscribe': 'leaving a channel and coming back',
  'channels/unsubscribe': 'leaving channels',
  'channels/updates': 'showing a private channel',
  'messages/notice': 'creating a channel with all there is to say',
  'realms/unset-channel': 'archiving channels',
};
