import { type Person, say, subscribe, succeed, tell } from '../../support/index.ts';
import type { Actions, Exercised } from './action.ts';

const react = (by: Person, id: number, emoji_name: string) =>
  succeed(by.post(`/messages/${id}/reactions`, { emoji_name }));

/** Messages that are sent, read and reacted to. */
export const actions: Actions = {
  async 'sending to a channel'({ alice, bob, guest }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    await say(alice, 'news');
    return () => say(bob, 'news');
  },

  async 'the first message of a channel'({ alice, bob, guest }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    return () => say(alice, 'news');
  },

  async 'the first message of a private channel'({ moderator, alice, bob, guest }) {
    await subscribe(moderator, 'secret', [alice, bob, guest], { invite_only: true });
    return () => say(alice, 'secret');
  },

  async 'several messages at once into a new channel'({ alice, bob }) {
    await subscribe(alice, 'news', [alice, bob]);
    return () => Promise.all([alice, bob, alice, bob].map((by) => say(by, 'news')));
  },

  async 'sending a direct message'({ alice, bob, owner }) {
    return () => tell(alice, [bob, owner]);
  },

  async 'a note to oneself'({ alice, guest, owner, bob }) {
    return () => Promise.all([alice, guest, owner, bob].map((by) => tell(by, [by])));
  },

  async 'a message that mentions people inside and outside of the channel'({
    alice,
    bob,
    carol,
    guest,
    bot,
  }) {
    await subscribe(alice, 'news', [alice, bob]);
    await say(alice, 'news');
    const names = [bob, carol, guest, bot].map(({ name }) => `@**${name}**`).join(' ');
    return () => say(alice, 'news', 't', `${names} @**all**`);
  },

  async 'asking and answering polls'({ alice, bob, carol, guest, owner }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    await subscribe(bob, 'sealed', [alice, bob], { invite_only: true });
    const content = '/poll Lunch?\nSoup';
    const open = await say(alice, 'news', 't', content);
    const sealed = await say(alice, 'sealed', 't', content);
    const direct = await tell(alice, [owner], content);
    // What they have not received they do not hear of.
    await subscribe(alice, 'sealed', [carol, guest]);
    await succeed(carol.patch('/settings', { automatically_follow_topics_policy: 1 }));
    const vote = '{"type":"vote","key":"canned,0","vote":1}';
    const answer = (by: Person, message_id: number) =>
      succeed(by.post('/submessage', { message_id, msg_type: 'widget', content: vote }));
    return async () => {
      await answer(guest, open);
      await answer(carol, open);
      await answer(bob, sealed);
      await answer(owner, direct);
      await say(bob, 'news', 't', '/todo Chores\nDishes: now');
    };
  },

  async 'reacting to messages'({ alice, bob, carol, guest, owner }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    await subscribe(bob, 'sealed', [alice, bob], { invite_only: true });
    const open = await say(alice, 'news');
    const sealed = await say(alice, 'sealed');
    const direct = await tell(alice, [owner]);
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
    const id = await say(alice, 'news');
    await succeed(bob.patch('/settings', { automatically_follow_topics_policy: 1 }));
    return () => react(bob, id, 'tada');
  },

  async 'taking reactions back'({ alice, bob, guest }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    const id = await say(alice, 'news');
    for (const by of [alice, bob, guest]) await react(by, id, 'tada');
    await react(bob, id, 'heart');
    return async () => {
      await succeed(bob.delete(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
      await succeed(bob.delete(`/messages/${id}/reactions`, { emoji_code: '2764' }));
    };
  },

  async 'reading, unreading and starring messages'({ alice, bob, guest, carol }) {
    await subscribe(alice, 'news', [alice, bob, guest]);
    const ids: number[] = [];
    for (let number = 0; number < 3; number += 1) ids.push(await say(bob, 'news'));
    ids.push(await tell(bob, [alice, carol]));
    const note = { type: 'direct', to: [alice.id], content: 'hello', read_by_sender: true };
    ids.push((await succeed(alice.post('/messages', note))).id);
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
      for (const topic of ['one', 'two']) await say(bob, to, topic);
    }
    await tell(bob, [alice]);
    const { subscriptions } = await alice.get('/users/me/subscriptions');
    const [{ stream_id }] = subscriptions;
    return async () => {
      await succeed(alice.post('/mark_all_as_read'));
      await tell(bob, [alice]);
      await succeed(bob.post('/mark_stream_as_read', { stream_id }));
      await succeed(guest.post('/mark_topic_as_read', { stream_id, topic_name: 'ONE' }));
    };
  },

  async 'reading everything while more comes'({ alice, bob }) {
    await subscribe(alice, 'news', [alice, bob]);
    return () =>
      Promise.all([
        ...Array.from({ length: 8 }, () => say(bob, 'news')),
        ...Array.from({ length: 3 }, () => succeed(alice.post('/mark_all_as_read'))),
        tell(bob, [alice]),
      ]);
  },
};

export const exercised: Exercised = {
  'actions/messages/flags/change': 'reading, unreading and starring messages',
  'actions/messages/flags/gather': 'reading, unreading and starring messages',
  'actions/messages/flags/request': 'reading, unreading and starring messages',
  'actions/messages/send/pending-message': 'sending to a channel',
  'actions/messages/send/send': 'a message that mentions people inside and outside of the channel',
  'actions/reactions/add': 'reacting to messages',
  'actions/reactions/events': 'reacting to messages',
  'actions/reactions/remove': 'taking reactions back',
  'actions/submessages/add': 'asking and answering polls',
  'actions/user-topics/participate': 'asking and answering polls',
};
