import { channels } from '@parley/actions';

import {
  type Json,
  type Person,
  createChannel,
  getWorld,
  idsOf,
  leave,
  say,
  subscribe,
  succeed,
} from '../../support/index.ts';
import { type Actions, type Exercised, inNewRealm } from './action.ts';

const isPrivate = { invite_only: true };

/** Who is in which channel, and what each has set about it. */
export const actions: Actions = {
  async 'subscribing oneself to a channel'({ alice, bob }) {
    await subscribe(alice, 'news');
    await say(alice, 'news');
    return () => subscribe(bob, 'news');
  },

  async 'subscribing others to a channel'({ alice, bob, carol, guest, owner }) {
    await subscribe(alice, 'news', [alice]);
    await say(alice, 'news');
    return () => subscribe(alice, 'news', [bob, carol, guest, owner]);
  },

  async 'subscribing others to a private channel'({ moderator, alice, bob, guest }) {
    await subscribe(moderator, 'secret', [alice], { invite_only: true });
    await say(alice, 'secret');
    return () => subscribe(alice, 'secret', [bob, guest]);
  },

  'subscribing the creator of a private channel': inNewRealm(async ({ moderator, alice, bob }) => {
    await subscribe(moderator, 'secret', [alice, bob], { invite_only: true });
    return () => subscribe(alice, 'secret', [moderator]);
  }),

  async 'two people subscribing the same third one'({ alice, bob, guest }) {
    await subscribe(alice, 'news', [alice, bob]);
    return () => Promise.all([subscribe(alice, 'news', [guest]), subscribe(bob, 'news', [guest])]);
  },

  'the operator subscribing people whom nobody asks': inNewRealm(
    async ({ moderator, alice, bob, guest, bot, realm }) => {
      const news = await createChannel(alice, 'news', [alice]);
      const secret = await createChannel(moderator, 'secret', [alice], isPrivate);
      await say(alice, 'news');
      const { engine } = await getWorld();
      const add = (channel: number, people: Person[]) =>
        engine.perform(realm.id, channels.addSubscribers, {
          realm,
          channelId: channel,
          userIds: idsOf(people),
        });
      return async () => {
        await add(news, [alice, bob, guest, bot]);
        await add(secret, [bob, guest]);
      };
    },
  ),

  'leaving channels': inNewRealm(async ({ moderator, alice, bob, guest, bot }) => {
    await createChannel(moderator, 'news', [alice, bob, guest, bot]);
    await createChannel(moderator, 'secret', [alice, bob, guest], isPrivate);
    await say(alice, 'news');
    return async () => {
      await leave(alice, ['news', 'secret']);
      await leave(guest, ['news', 'secret']);
      await leave(bot, ['news']);
    };
  }),

  'taking others out of channels': inNewRealm(async ({ owner, admin, moderator, alice, bob, guest, bot }) => {
    await createChannel(moderator, 'news', [alice, bob, guest, bot]);
    await createChannel(moderator, 'secret', [admin, moderator, alice, bob, guest], isPrivate);
    return async () => {
      await leave(admin, ['news', 'secret'], [alice, guest, moderator, admin]);
      await leave(owner, ['news'], [bot]);
    };
  }),

  'leaving a channel and coming back': inNewRealm(async ({ alice, bob, guest }) => {
    const id = await createChannel(alice, 'news', [alice, bob, guest]);
    await succeed(bob.patch(`/users/me/subscriptions/${id}`, { property: 'is_muted', value: true }));
    await say(alice, 'news');
    return async () => {
      await leave(bob, ['news']);
      await leave(guest, ['news']);
      await say(alice, 'news');
      const again = { subscriptions: [{ name: 'news' }], principals: idsOf([bob, guest]) };
      await succeed(alice.post('/users/me/subscriptions', again));
    };
  }),

  async 'coming into channels and leaving others at once'({ alice, bob }) {
    await createChannel(alice, 'here', [alice, bob]);
    await createChannel(alice, 'there', [alice]);
    return () =>
      succeed(
        bob.patch('/users/me/subscriptions', { add: [{ name: 'there' }, { name: 'new' }], delete: ['HERE'] }),
      );
  },

  'setting what one wants of a channel': inNewRealm(async ({ alice, guest }) => {
    const id = await createChannel(alice, 'news', [alice, guest]);
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
  }),

  'muting, following and clearing topics': inNewRealm(async ({ alice, guest }) => {
    await subscribe(alice, 'news', [alice, guest]);
    const { stream_id: channel } = (await alice.get('/users/me/subscriptions')).subscriptions[0];
    const set = (by: Person, topic: string, visibility_policy: number) =>
      succeed(by.post('/user_topics', { stream_id: channel, topic, visibility_policy }));
    await set(alice, 'old', 1);
    return async () => {
      await set(alice, 'old', 0);
      await set(alice, '', 3);
      await set(guest, 't', 2);
      await set(alice, 'T', 1);
      await succeed(
        guest.patch('/users/me/subscriptions/muted_topics', {
          stream_id: channel,
          topic: 'older',
          op: 'add',
        }),
      );
    };
  }),
};

export const exercised: Exercised = {
  'actions/channels/subscriptions/add-subscribers': 'the operator subscribing people whom nobody asks',
  'actions/channels/subscriptions/change': 'coming into channels and leaving others at once',
  'actions/channels/subscriptions/edit': 'setting what one wants of a channel',
  'actions/channels/subscriptions/join': 'leaving a channel and coming back',
  'actions/channels/subscriptions/subscribe': 'leaving a channel and coming back',
  'actions/channels/subscriptions/unsubscribe': 'leaving channels',
  'actions/user-topics/set-policy': 'muting, following and clearing topics',
  'actions/user-topics/set-policies': 'muting, following and clearing topics',
  'model/user-topics/events': 'muting, following and clearing topics',
  'model/channels/events': 'leaving a channel and coming back',
};
