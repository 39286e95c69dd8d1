import { linkPreviews, messages, reactions } from '@parley/actions';

import {
  type Json,
  type Person,
  channelId,
  getWorld,
  makeOlder,
  restoreDeleted,
  runRecurring,
  say,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import { type Actions, type Exercised, inNewRealm } from './action.ts';

const change = (by: Person, id: number | undefined, params: object) =>
  succeed(by.patch(`/messages/${id}`, { ...params }));

/** Messages that are edited, moved, deleted and reported. */
export const actions: Actions = {
  async 'editing messages'({ alice, bob, guest }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    const ids = [await say(alice, 'news'), await tell(alice, [bob]), await say(alice, 'news')];
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
    const id = await say(alice, 'secret');
    await subscribe(alice, 'secret', [carol]);
    return () => change(alice, id, { content: 'other' });
  },

  async 'moving messages from topic to topic'({ alice, bob, carol, guest }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    const ids: number[] = [];
    for (const topic of ['a', 'a', 'a', 'b', '']) {
      ids.push(await say(bob, 'news', topic));
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

  async 'spelling a topic otherwise for some of its messages'({ moderator, alice, bob, guest }) {
    await subscribe(alice, 'news', [moderator, alice, bob, guest]);
    await subscribe(alice, 'food', [moderator, alice, bob, guest]);
    const stream_id = await channelId(alice, 'food');
    const ids: number[] = [];
    for (const by of [bob, alice, bob]) ids.push(await say(by, 'news', 'tea'));
    const [first = 0, second = 0] = ids;
    return async () => {
      await change(alice, second, { topic: 'TEA' });
      await change(alice, second, { topic: 'Tea', propagate_mode: 'change_later' });
      await change(alice, second, { stream_id, propagate_mode: 'change_all' });
      await change(bob, first, { content: 'later', topic: 'TEA' });
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
      ids.push(await say(bob, 'news', topic));
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
    const id = await say(alice, 'news');
    const { stream_id } = (await alice.get('/users/me/subscriptions')).subscriptions[0];
    await succeed(bob.post('/user_topics', { stream_id, topic: 't', visibility_policy: 3 }));
    const all = { propagate_mode: 'change_all' };
    return async () => {
      await change(alice, id, { topic: '✔ t', ...all });
      await change(guest, id, { topic: 't', ...all });
      await change(guest, id, { topic: '✔ t', ...all });
    };
  },

  'messages that are kept no longer': inNewRealm(async ({ owner, alice, bob, guest }) => {
    await subscribe(owner, 'news', [alice, bob, guest]);
    await subscribe(owner, 'secret', [alice, bob], { invite_only: true });
    await subscribe(owner, 'closed', [alice, bob, guest]);
    await succeed(owner.patch('/realm', { message_retention_days: 30 }));
    for (const name of ['news', 'secret', 'closed']) {
      for (const topic of ['one', 'two']) await makeOlder(alice, await say(alice, name, topic), 40 * 86_400);
    }
    await say(alice, 'news', 'one');
    await makeOlder(alice, await tell(alice, [bob]), 40 * 86_400);
    await tell(alice, [bob]);
    await succeed(owner.delete(`/streams/${await channelId(owner, 'closed')}`));
    return () => runRecurring('expire-messages');
  }),

  async 'deleting messages'({ alice, bob, guest, admin }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    const ids = [
      await say(alice, 'news'),
      await say(alice, 'news'),
      await tell(alice, [bob]),
      await say(bob, 'news'),
    ];
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

  async 'restoring deleted messages'({ realm, alice, bob, carol, guest, admin }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    await subscribe(alice, 'secret', [alice, bob], { invite_only: true });
    const ids = [await say(alice, 'news'), await say(bob, 'news', 'other'), await say(alice, 'secret')];
    const letters = [await tell(alice, [bob]), await tell(bob, [alice, carol])];
    await succeed(
      bob.post('/messages/flags', { messages: [ids[0], letters[0]], op: 'add', flag: 'starred' }),
    );
    await succeed(guest.post(`/messages/${ids[0]}/reactions`, { emoji_name: 'octopus' }));
    for (const id of [ids[0], ids[1]]) await succeed(admin.delete(`/messages/${id}`));
    await succeed(alice.delete(`/messages/${ids[2]}`));
    await succeed(alice.delete(`/messages/${letters[0]}`));
    await succeed(bob.delete(`/messages/${letters[1]}`));
    await subscribe(carol, 'news', [carol]);
    return () => restoreDeleted(realm);
  },

  async 'deleting a topic'({ alice, bob, guest, admin }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    for (const by of [alice, bob]) await say(by, 'news');
    await say(alice, 'news', 'other');
    const { stream_id } = (await alice.get('/users/me/subscriptions')).subscriptions[0];
    await succeed(bob.post('/user_topics', { stream_id, topic: 't', visibility_policy: 1 }));
    return () => succeed(admin.post(`/streams/${stream_id}/delete_topic`, { topic_name: 'T' }));
  },

  'showing the pages that messages link to': inNewRealm(
    async ({ owner, moderator, alice, bob, carol, guest, realm }) => {
      await succeed(owner.patch('/realm', { inline_url_embed_preview: true }));
      await subscribe(alice, 'news', [alice, bob, guest]);
      const more = { invite_only: true, history_public_to_subscribers: false };
      await subscribe(moderator, 'secret', [alice, bob], more);
      const content = 'see https://ex.org/story @**Bob**';
      const ids = [
        await say(alice, 'news', 't', content),
        await say(alice, 'secret', 't', content),
        await tell(alice, [bob], content),
      ];
      await subscribe(alice, 'secret', [carol]);
      const facts = {
        kind: 'page',
        title: 'A story',
        description: '',
        image: 'https://ex.org/i.png',
      } as const;
      const { engine } = await getWorld();
      const seen = { address: 'https://ex.org/story', result: facts, now: new Date() };
      await linkPreviews.save(engine.db, realm, seen);
      return async () => {
        for (const id of ids) {
          await engine.perform(realm.id, messages.addPreviews, { realm, id, content });
        }
      };
    },
  ),

  'messages that follow their source': inNewRealm(async ({ moderator, alice, bob, guest, realm }) => {
    await subscribe(alice, 'news', [alice, bob, guest]);
    await subscribe(moderator, 'secret', [moderator, alice], { invite_only: true });
    const ids = [
      await say(alice, 'news', 't', 'before'),
      await say(alice, 'secret', 't', 'before'),
      await tell(alice, [bob], 'before'),
    ];
    const gone = [await say(alice, 'news'), await say(alice, 'secret'), await tell(alice, [bob])];
    const { engine } = await getWorld();
    const content = `after, see https://ex.org/ and @**${bob.name}**`;
    return async () => {
      for (const id of ids) {
        await engine.perform(realm.id, messages.followSource, { realm, id, expected: 'before', content });
      }
      for (const id of gone) await engine.perform(realm.id, messages.removeAsSource, { realm, id });
      const emoji = { name: 'tada', code: '1f389', type: 'unicode_emoji' } as const;
      for (const isThere of [true, false]) {
        for (const messageId of ids) {
          const reaction = { realm, messageId, userId: alice.id, emoji, isThere };
          await engine.perform(realm.id, reactions.followSource, reaction);
        }
      }
    };
  }),

  async 'reporting a message'({ owner, moderator, alice, bob }) {
    await subscribe(moderator, 'desk', [moderator, bob, owner], { invite_only: true });
    const { stream_id } = (await moderator.get('/users/me/subscriptions')).subscriptions[0];
    await succeed(owner.patch('/realm', { moderation_request_channel_id: stream_id }));
    const id = await tell(bob, [alice]);
    return () => succeed(alice.post(`/messages/${id}/report`, { report_type: 'spam' }));
  },
};

export const exercised: Exercised = {
  'actions/messages/delete': 'deleting messages',
  'actions/messages/restore': 'restoring deleted messages',
  'actions/messages/expire': 'messages that are kept no longer',
  'actions/messages/edit/edit': 'editing messages',
  'actions/messages/edit/move': 'moving messages from channel to channel',
  'actions/messages/edit/move-plan': 'moving messages from channel to channel',
  'actions/messages/edit/notices': 'resolving topics and taking it back',
  'actions/messages/edit/policies': 'moving messages from topic to topic',
  'actions/messages/previews/add': 'showing the pages that messages link to',
  'actions/messages/source': 'messages that follow their source',
  'actions/reactions/source': 'messages that follow their source',
  'actions/messages/report': 'reporting a message',
  'model/channels/first-message': 'deleting messages',
};
