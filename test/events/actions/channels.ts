import { channels as channelActions } from '@parley/actions';

import {
  type Json,
  type Person,
  createChannel,
  getWorld,
  groupId,
  idsOf,
  leave,
  letSpectatorsIn,
  say,
  subscribe,
  succeed,
} from '../../support/index.ts';
import { type Actions, type Exercised, inNewRealm } from './action.ts';

const edit = (by: Person, id: number, changes: Record<string, unknown>) =>
  succeed(by.patch(`/streams/${id}`, changes));

const change = (value: Json) => ({ new: value });

const only = (...people: Person[]) => change({ direct_members: idsOf(people), direct_subgroups: [] });

const isPrivate = { invite_only: true };

/** How channels come, change and go. */
export const actions: Actions = {
  'creating a public channel for oneself': inNewRealm(async ({ alice }) => {
    return () => subscribe(alice, 'news');
  }),

  async 'creating a public channel for others'({ alice, bob, guest }) {
    return () => subscribe(alice, 'news', [bob, guest]);
  },

  async 'creating a private channel'({ alice, bob, guest }) {
    return () => subscribe(alice, 'secret', [alice, bob, guest], { invite_only: true });
  },

  'creating a private channel for others': inNewRealm(async ({ moderator, bob, guest }) => {
    return () => subscribe(moderator, 'secret', [bob, guest], { invite_only: true });
  }),

  'creating a private channel with protected history': inNewRealm(async ({ alice, bob }) => {
    return () =>
      subscribe(alice, 'secret', [alice, bob], { invite_only: true, history_public_to_subscribers: false });
  }),

  async 'creating several channels at once'({ alice, bob, guest }) {
    return () =>
      succeed(
        alice.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'b' }, { name: 'A', color: '#ABC' }, { name: 'c', description: 'third' }],
          principals: [alice.id, bob.id, guest.id],
        }),
      );
  },

  async 'two people creating the same channel'({ alice, bob }) {
    return () => Promise.all([subscribe(alice, 'news'), subscribe(bob, 'NEWS')]);
  },

  async 'creating a channel with all there is to say'({ owner, alice, bob, guest }) {
    const { channel_folder_id: folder_id } = await succeed(
      owner.post('/channel_folders/create', { name: 'Work', description: '' }),
    );
    const announcements = await createChannel(owner, 'announcements', [owner, alice]);
    await succeed(owner.patch('/realm', { new_stream_announcements_stream_id: announcements }));
    return async () => {
      await createChannel(owner, 'everything', [alice, bob, guest], {
        description: 'All of *it*',
        announce: true,
        is_default_stream: true,
        folder_id,
        topics_policy: 'allow_empty_topic',
        message_retention_days: 30,
        can_send_message_group: await groupId(owner, 'role:moderators'),
        can_subscribe_group: { direct_members: [bob.id], direct_subgroups: [] },
      });
      await createChannel(alice, 'for nobody', []);
    };
  },

  'creating a private channel that others may come into': inNewRealm(
    async ({ moderator, alice, bob, guest }) => {
      return () =>
        createChannel(moderator, 'secret', [alice], {
          ...isPrivate,
          can_subscribe_group: { direct_members: [bob.id, guest.id], direct_subgroups: [] },
        });
    },
  ),

  async 'creating a web-public channel'({ owner, alice, guest }) {
    await letSpectatorsIn({ owner });
    return async () => {
      await createChannel(owner, 'open to all', [alice], { is_web_public: true });
      await succeed(
        alice.post('/users/me/subscriptions', {
          subscriptions: [{ name: 'open to all' }],
          principals: [guest.id],
        }),
      );
    };
  },

  async 'changing what a channel is called and how it is kept'({ owner, alice, bob, guest }) {
    const id = await createChannel(alice, 'news', [alice, bob, guest]);
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
    const id = await createChannel(alice, 'news', [alice, carol, guest]);
    await say(alice, 'news');
    // Someone who was in it once, and someone who treats a topic of it otherwise.
    await succeed(bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }] }));
    await leave(bob, ['news']);
    await succeed(bob.post('/user_topics', { stream_id: id, topic: 't', visibility_policy: 3 }));
    await succeed(owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }] }));
    await leave(owner, ['news']);
    return async () => {
      await edit(alice, id, { is_private: true, history_public_to_subscribers: false });
      await edit(alice, id, { history_public_to_subscribers: true });
    };
  },

  'hiding a public channel and showing it again': inNewRealm(async ({ alice, bob, carol, guest }) => {
    const id = await createChannel(alice, 'news', [alice, carol, guest]);
    await succeed(bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }] }));
    await leave(bob, ['news']);
    return async () => {
      await edit(alice, id, { is_private: true });
      await edit(alice, id, { is_private: false });
      await say(alice, 'news');
    };
  }),

  async 'showing a private channel'({ moderator, alice, bob, guest }) {
    const id = await createChannel(moderator, 'secret', [moderator, alice, guest], {
      ...isPrivate,
      can_add_subscribers_group: { direct_members: [bob.id], direct_subgroups: [] },
    });
    return () => edit(moderator, id, { is_private: false });
  },

  'showing a channel to everyone on the web, and hiding it': inNewRealm(async ({ owner, alice, bob }) => {
    await letSpectatorsIn({ owner });
    const id = await createChannel(owner, 'news', [owner, alice]);
    return async () => {
      await edit(owner, id, { is_web_public: true });
      await edit(owner, id, { is_web_public: false });
      await edit(owner, id, { is_web_public: true });
      await edit(owner, id, { is_private: true, is_web_public: false });
      await edit(owner, id, { is_private: false, is_web_public: true });
      await edit(owner, id, { description: `for ${bob.name}` });
    };
  }),

  'changing who may do what in a channel': inNewRealm(async ({ owner, alice, bob, guest }) => {
    const id = await createChannel(owner, 'news', [owner, alice, guest]);
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
  }),

  async 'letting others see a private channel, and no more'({ owner, moderator, alice, bob, carol, guest }) {
    const id = await createChannel(moderator, 'secret', [moderator, alice, guest], isPrivate);
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

  'archiving channels': inNewRealm(async ({ owner, moderator, alice, bob, guest }) => {
    const id = await createChannel(owner, 'news', [alice, bob, guest], { is_default_stream: true });
    const group = { group_name: 'A group', description: '', stream_names: ['quiet'] };
    const quiet = await succeed(
      alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'quiet' }] }),
    ).then(async () => (await alice.get('/get_stream_id', { stream: 'quiet' })).stream_id);
    const secret = await createChannel(moderator, 'secret', [alice, guest], isPrivate);
    await succeed(owner.post('/default_stream_groups/create', group));
    await succeed(owner.patch('/realm', { new_stream_announcements_stream_id: id }));
    return async () => {
      for (const one of [id, quiet, secret]) await succeed(owner.delete(`/streams/${one}`));
      await edit(owner, id, { new_name: 'was news', can_administer_channel_group: only(bob) });
      await leave(bob, ['was news']);
      await leave(guest, ['secret']);
    };
  }),

  'bringing channels back from the archive': inNewRealm(async ({ owner, moderator, alice, bob, guest }) => {
    const id = await createChannel(owner, 'news', [alice, bob, guest]);
    const secret = await createChannel(moderator, 'secret', [alice, guest], isPrivate);
    await succeed(alice.patch(`/users/me/subscriptions/${id}`, { property: 'color', value: '#abcdef' }));
    await succeed(owner.delete(`/streams/${id}`));
    await succeed(owner.delete(`/streams/${secret}`));
    await succeed(alice.patch(`/users/me/subscriptions/${id}`, { property: 'pin_to_top', value: true }));
    return async () => {
      await edit(owner, id, { is_archived: false, description: 'Again' });
      await edit(owner, secret, { is_archived: false });
      await say(alice, 'news');
    };
  }),

  'channels that fall asleep and wake up': inNewRealm(async ({ moderator, alice, guest, realm }) => {
    const news = await createChannel(alice, 'news', [alice, guest]);
    const secret = await createChannel(moderator, 'secret', [alice, guest], isPrivate);
    const { engine } = await getWorld();
    const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
    const refresh = (id: number, now: Date) =>
      engine.perform(realm.id, channelActions.refreshActivity, { realmId: realm.id, channelId: id, now });
    return async () => {
      await refresh(news, inDays(200));
      await refresh(news, inDays(0));
      await refresh(secret, inDays(200));
    };
  }),

  'telling of messages that came before the first one of a channel': inNewRealm(
    async ({ moderator, alice, bob, realm }) => {
      const { engine, sql } = await getWorld();
      const made = [
        await createChannel(alice, 'with older ones', [alice, bob]),
        await createChannel(moderator, 'with older secrets', [alice], isPrivate),
      ];
      for (const name of ['with older ones', 'with older secrets']) await say(alice, name);
      // As if the messages that there are had come from elsewhere, and below a later one.
      await sql`
      update conversation_heads h set first_message_id = first_message_id + 1 from channels c
      where c.realm_id = ${realm.id} and c.id = any(${made}) and h.realm_id = c.realm_id
        and h.conversation_id = c.conversation_id`;
      return async () => {
        for (const channelId of made) {
          await engine.perform(realm.id, channelActions.refreshFirstMessage, { realm, channelId });
        }
      };
    },
  ),
};

export const exercised: Exercised = {
  'actions/channels/first-message': 'telling of messages that came before the first one of a channel',
  'actions/channels/activity': 'channels that fall asleep and wake up',
  'actions/channels/archive': 'archiving channels',
  'actions/channels/create': 'creating a channel with all there is to say',
  'actions/channels/edit/details': 'changing what a channel is called and how it is kept',
  'actions/channels/edit/edit': 'changing what a channel is called and how it is kept',
  'actions/channels/edit/permissions': 'changing who may do what in a channel',
  'actions/channels/edit/privacy': 'hiding a public channel',
  'actions/channels/edit/editing': 'changing what a channel is called and how it is kept',
  'actions/channels/notices': 'creating a channel with all there is to say',
  'actions/messages/notices': 'creating a channel with all there is to say',
  'actions/channels/unset-channel': 'archiving channels',
  'model/access/channel-audiences': 'letting others see a private channel, and no more',
};
