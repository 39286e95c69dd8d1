import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Params,
  type Person,
  createChannel,
  createGroup,
  emptyChannel,
  letSpectatorsIn,
  permit,
  realm,
  say,
  setLastActive,
  setLastSeen,
  setSubscriberCount,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import { listenWith, messagesHeard, stateOf, without } from './heard.ts';

const register = async (by: Person, types: string[], params: Params = {}): Promise<Json> =>
  await by.post('/register', { fetch_event_types: types, ...params });

const withoutAccount = async (through: Person, params: Params = {}): Promise<Json> =>
  (await through.ask('POST', '/register', params, { authorization: null })).body;

describe('4.6 GET /events', () => {
  test('ids of events rise within a queue, and what is read from one on are those after it', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen();
    for (const content of ['one', 'two', 'three']) await tell(alice, [bob], content);
    const ids = (await phone.poll()).events.map(({ id }: Json) => id);
    expect(ids).toEqual([...new Set(ids)].toSorted((a, b) => Number(a) - Number(b)));
    for (const [at, id] of ids.entries()) {
      const { events } = await phone.poll({ last_event_id: id, dont_block: true });
      expect(events.map((event: Json) => event.id)).toEqual(ids.slice(at + 1));
    }
  });

  test('an event is answered until it is acknowledged, in each queue by itself', async () => {
    const { alice, bob } = await realm();
    const [phone, laptop] = [await bob.listen(), await bob.listen()];
    await tell(alice, [bob]);
    expect((await phone.poll()).events).toEqual((await phone.poll()).events);
    expect(await phone.hears()).toHaveLength(1);
    expect(await phone.hears()).toEqual([]);
    expect(await laptop.hears()).toHaveLength(1);
  });

  test('a poll that does not block is answered with nothing where there is nothing', async () => {
    const { alice } = await realm();
    const phone = await alice.listen();
    const reply = await phone.poll({ dont_block: true });
    expect(reply).toMatchObject({ result: 'success', events: [], queue_id: phone.queueId });
  });

  test('a poll without a queue registers one with the parameters of a registration', async () => {
    const { alice, bob } = await realm();
    const { queue_id } = await bob.get('/events', { event_types: ['message'], apply_markdown: true });
    await subscribe(alice, 'news', [alice, bob]);
    await tell(alice, [bob], '*hi*');
    const { events } = await bob.get('/events', { queue_id, last_event_id: -1 });
    expect(events).toMatchObject([{ type: 'message', message: { content: '<p><em>hi</em></p>' } }]);
  });

  test('a queue that has ended is a bad queue, as is that of somebody else', async () => {
    const { alice, bob } = await realm();
    const [ended, his] = [await alice.listen(), await bob.listen()];
    await succeed(alice.delete('/events', { queue_id: ended.queueId }));
    for (const queue_id of [ended.queueId, his.queueId, 'nothing']) {
      const reply = await alice.get('/events', { queue_id, last_event_id: -1, dont_block: true });
      expect(reply).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID', queue_id });
    }
  });
});

describe('4.7 POST /register', () => {
  test('what happened before a registration is in its state and not in its queue, and what follows in the queue alone', async () => {
    const { alice, bob } = await realm();
    await subscribe(bob, 'before');
    const phone = await bob.listen({ fetch_event_types: ['subscription'], event_types: ['subscription'] });
    await subscribe(alice, 'after', [bob]);
    expect(phone.registered.subscriptions.map(({ name }: Json) => name)).toEqual(['before']);
    const { events } = await phone.poll({ last_event_id: -1, dont_block: true });
    const added = events.filter(({ op }: Json) => op === 'add');
    expect(added.map(({ subscriptions }: Json) => subscriptions[0].name)).toEqual(['after']);
  });

  test('a queue hears of the types that it named, and a type that nobody knows is passed over', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen({ event_types: ['reaction', 'of tomorrow'] });
    const id = await tell(alice, [bob]);
    await succeed(alice.post(`/messages/${id}/reactions`, { emoji_name: 'tada' }));
    expect((await phone.hears()).map(({ type }) => type)).toEqual(['reaction']);
  });

  test('the state is of the types of the events unless other types are named', async () => {
    const { alice } = await realm();
    const like = await alice.post('/register', { event_types: ['drafts'] });
    expect([like.drafts, like.alert_words]).toEqual([[], undefined]);
    const named = await alice.post('/register', {
      event_types: ['drafts'],
      fetch_event_types: ['alert_words'],
    });
    expect([named.drafts, named.alert_words]).toEqual([undefined, []]);
  });

  test('a queue for all public channels hears those without its user, and no private one', async () => {
    const { alice, bob } = await realm();
    const open = await emptyChannel(alice, 'open');
    const secret = await emptyChannel(alice, 'secret', [alice], { invite_only: true });
    const phone = await bob.listen({ all_public_streams: true });
    await say(alice, open);
    await say(alice, secret);
    expect((await messagesHeard(phone)).map(({ stream_id }) => stream_id)).toEqual([open]);
  });

  test('a narrow keeps messages from a queue and nothing else', async () => {
    const { alice, bob } = await realm();
    const news = await emptyChannel(alice, 'news', [alice, bob]);
    const phone = await bob.listen({ narrow: [['is', 'dm']] });
    await say(alice, news);
    const id = await tell(alice, [bob]);
    await subscribe(alice, 'more', [bob]);
    const heard = await phone.hears();
    expect(heard.flatMap(({ message }) => message?.id ?? [])).toEqual([id]);
    expect(heard.map(({ type }) => type)).toContain('subscription');
  });

  test('deleted messages are told one by one to clients without bulk_message_deletion', async () => {
    const { owner, alice, bob } = await realm();
    const news = await emptyChannel(alice, 'news', [alice, bob]);
    const ids = [await say(alice, news, 't'), await say(alice, news, 't')];
    const [modern, old] = [
      await listenWith(bob, ['delete_message']),
      await listenWith(bob, ['delete_message'], ['bulk_message_deletion']),
    ];
    await succeed(owner.post(`/streams/${news}/delete_topic`, { topic_name: 't' }));
    expect(await modern.hears()).toMatchObject([{ message_ids: ids }]);
    expect((await old.hears()).map(({ message_id }) => message_id)).toEqual(ids);
  });

  test('linkifiers are none, and are never told, to clients without linkifier_url_template', async () => {
    const { admin, alice } = await realm();
    const lacking = { client_capabilities: without('linkifier_url_template') };
    const phone = await listenWith(alice, ['realm_linkifiers'], ['linkifier_url_template']);
    await succeed(admin.post('/realm/filters', { pattern: 'a', url_template: 'https://ex.org' }));
    expect(await phone.hears()).toEqual([]);
    expect((await register(alice, ['realm_linkifiers'], lacking)).realm_linkifiers).toEqual([]);
    const modern = { client_capabilities: without() };
    expect((await register(alice, ['realm_linkifiers'], modern)).realm_linkifiers).toHaveLength(1);
  });

  test('users whom a guest may not see are in the lists of clients without user_list_incomplete, as unknown', async () => {
    const people = await realm();
    const { guest, bob } = people;
    await permit(people, 'can_access_all_users_group', 'role:members');
    const bobIn = async (...lacking: string[]) => {
      const params = { client_capabilities: without(...lacking) };
      const { realm_users } = await register(guest, ['realm_user'], params);
      return realm_users.find(({ user_id }: Json) => user_id === bob.id);
    };
    expect(await bobIn('user_list_incomplete')).toMatchObject({ full_name: 'Unknown user' });
    expect(await bobIn()).toBeUndefined();
  });

  test('a deactivated group is removed for clients without include_deactivated_groups, who hear of it no more', async () => {
    const { alice } = await realm();
    const id = await createGroup(alice, 'group');
    const [modern, old] = [
      await listenWith(alice, ['user_group']),
      await listenWith(alice, ['user_group'], ['include_deactivated_groups']),
    ];
    await succeed(alice.post(`/user_groups/${id}/deactivate`));
    await succeed(alice.patch(`/user_groups/${id}`, { name: 'renamed' }));
    expect((await modern.hears()).map(({ op }) => op)).toEqual(['update', 'update']);
    expect(await old.hears()).toMatchObject([{ op: 'remove', group_id: id }]);
  });

  test.each([
    ['', true],
    ['include_deactivated_groups', false],
  ])('a deactivated group is in the state of clients that lack “%s”: %s', async (lacking, isListed) => {
    const { alice } = await realm();
    const id = await createGroup(alice, 'group');
    await succeed(alice.post(`/user_groups/${id}/deactivate`));
    const params = { client_capabilities: without(lacking) };
    const { realm_user_groups } = await register(alice, ['realm_user_groups'], params);
    expect(realm_user_groups.some((group: Json) => group.id === id)).toBe(isListed);
  });

  test('an archived channel is deleted for clients without archived_channels, and returns to them as a new one', async () => {
    const { owner, alice } = await realm();
    const id = await createChannel(owner, 'news', [alice]);
    const [modern, old] = [
      await listenWith(alice, ['stream']),
      await listenWith(alice, ['stream'], ['archived_channels']),
    ];
    await succeed(owner.delete(`/streams/${id}`));
    expect(await modern.hears()).toMatchObject([{ op: 'update', property: 'is_archived', value: true }]);
    expect(await old.hears()).toMatchObject([{ op: 'delete', stream_ids: [id] }]);
    await succeed(owner.patch(`/streams/${id}`, { is_archived: false }));
    expect((await old.hears())[0]).toMatchObject({ op: 'create', streams: [{ stream_id: id }] });
  });

  test.each([
    ['streams', 'stream'],
    ['subscriptions', 'subscription'],
  ])('archived channels are left out of %s for clients without archived_channels', async (field, type) => {
    const { owner, alice } = await realm();
    const id = await createChannel(owner, 'news', [alice]);
    await succeed(owner.delete(`/streams/${id}`));
    const listed = async (...lacking: string[]) => {
      const state = await register(alice, [type], { client_capabilities: without(...lacking) });
      return state[field].map(({ stream_id }: Json) => stream_id);
    };
    expect([await listed(), await listed('archived_channels')]).toEqual([[id], []]);
  });

  test('settings of a subscription that are inherited are null only where the client can read null', async () => {
    const { alice } = await realm();
    await createChannel(alice, 'news', [alice]);
    const first = async (...lacking: string[]) => {
      const params = { client_capabilities: without(...lacking) };
      return (await register(alice, ['subscription'], params)).subscriptions[0];
    };
    const names = [
      'desktop_notifications',
      'email_notifications',
      'push_notifications',
      'wildcard_mentions_notify',
    ];
    const [modern, old] = [await first(), await first('notification_settings_null')];
    expect(names.map((name) => modern[name])).toEqual([null, null, null, null]);
    expect(names.map((name) => typeof old[name])).toEqual(Array(4).fill('boolean'));
  });

  test('presence is told in the modern form where the client can read it, and in the old one elsewhere', async () => {
    const { alice, bob } = await realm();
    const [modern, old] = [
      await listenWith(bob, ['presence']),
      await listenWith(bob, ['presence'], ['simplified_presence_events']),
    ];
    await Promise.all([modern.hears(), old.hears()]);
    await succeed(alice.post('/users/me/presence', { status: 'active' }));
    expect(Object.keys((await modern.waits())[0]?.['presences'])).toEqual([String(alice.id)]);
    expect(await old.waits()).toMatchObject([{ user_id: alice.id, email: alice.email, presence: {} }]);
  });

  test('typing in a channel is told to clients with stream_typing_notifications alone', async () => {
    const { alice, bob } = await realm();
    const news = await createChannel(alice, 'news', [alice, bob]);
    const [modern, old] = [
      await listenWith(bob, ['typing']),
      await listenWith(bob, ['typing'], ['stream_typing_notifications']),
    ];
    await Promise.all([modern.hears(), old.hears()]);
    await succeed(alice.post('/typing', { type: 'channel', op: 'start', stream_id: news, topic: 't' }));
    expect(await modern.waits()).toMatchObject([{ message_type: 'stream' }]);
    await succeed(alice.post('/typing', { op: 'start', to: [bob.id] }));
    expect(await old.waits()).toMatchObject([{ message_type: 'direct' }]);
  });

  test.each([
    [249, 'subscribers'],
    [250, 'partial_subscribers'],
  ])('a channel of %i subscribers is listed with %s where a part of them will do', async (count, field) => {
    const { alice, bob, bot } = await realm();
    const id = await createChannel(alice, 'news', [alice, bob, bot]);
    await setSubscriberCount(id, count);
    const { subscriptions } = await register(alice, ['subscription'], { include_subscribers: 'partial' });
    expect(Object.keys(subscriptions[0]).filter((name) => /^(partial_)?subscribers$/.test(name))).toEqual([
      field,
    ]);
  });

  test('a part of the subscribers of a large channel has all bots and whoever was active in the last 14 days', async () => {
    const { alice, bob, carol, bot } = await realm();
    const id = await createChannel(alice, 'news', [alice, bob, carol, bot]);
    await setSubscriberCount(id, 1000);
    await setLastActive(bob, 13);
    await setLastActive(carol, 60);
    await setLastActive(bot, 60);
    const { subscriptions } = await register(alice, ['subscription'], { include_subscribers: 'partial' });
    const listed = subscriptions[0].partial_subscribers;
    expect(listed).toEqual(expect.arrayContaining([alice.id, bob.id, bot.id]));
    expect(listed).not.toContain(carol.id);
  });

  test('subscribers are listed only where they are asked for', async () => {
    const { alice } = await realm();
    await createChannel(alice, 'news', [alice]);
    const first = async (params: Params) =>
      (await register(alice, ['subscription'], params)).subscriptions[0].subscribers;
    expect(await first({})).toBeUndefined();
    expect(await first({ include_subscribers: 'true' })).toEqual([alice.id]);
  });

  test('presence is that of the last 14 days, or of as many as are asked for', async () => {
    const { alice, bob, carol } = await realm();
    for (const who of [alice, bob]) await succeed(who.post('/users/me/presence', { status: 'active' }));
    const day = 86_400;
    await setLastSeen(alice, 13 * day, 13 * day);
    await setLastSeen(bob, 15 * day, 15 * day);
    const seen = async (params: Params) =>
      Object.keys((await register(carol, ['presence'], { slim_presence: true, ...params })).presences).map(
        Number,
      );
    expect(await seen({})).toEqual([alice.id]);
    expect(await seen({ presence_history_limit_days: 16 })).toEqual([alice.id, bob.id]);
    expect(await seen({ presence_history_limit_days: 12 })).toEqual([]);
  });

  test('presence is by the ids of users where it is slim, and by addresses elsewhere', async () => {
    const { alice, bob } = await realm();
    await succeed(alice.post('/users/me/presence', { status: 'active' }));
    const keys = async (slim_presence: boolean) =>
      Object.keys((await register(bob, ['presence'], { slim_presence })).presences);
    expect([await keys(true), await keys(false)]).toEqual([[String(alice.id)], [alice.email]]);
  });

  test('pictures that a client computes are none in its state, and addresses where it computes none', async () => {
    const { alice } = await realm();
    const pictures = async (params: Params) =>
      (await register(alice, ['realm_user'], params)).realm_users.map(({ avatar_url }: Json) => avatar_url);
    expect(await pictures({})).toContain(null);
    expect(await pictures({ client_gravatar: false })).not.toContain(null);
  });

  test('whoever has no account registers only where the organization lets spectators in, and gets no queue', async () => {
    const people = await realm();
    const { owner, alice } = people;
    expect((await withoutAccount(alice)).result).toBe('error');
    await letSpectatorsIn(people);
    expect((await withoutAccount(alice)).result).toBe('error');
    await createChannel(owner, 'world', [owner], { is_web_public: true });
    expect(await withoutAccount(alice)).toMatchObject({ result: 'success', queue_id: null });
    await succeed(owner.patch('/realm', { enable_spectator_access: false }));
    expect((await withoutAccount(alice)).result).toBe('error');
  });

  test.each([{ client_gravatar: true }, { include_subscribers: 'true' }])(
    'a registration without an account is refused with %j',
    async (params) => {
      const people = await realm();
      const { owner, alice } = people;
      await letSpectatorsIn(people);
      await createChannel(owner, 'world', [owner], { is_web_public: true });
      expect(await withoutAccount(alice, params)).toMatchObject({ code: 'BAD_REQUEST' });
    },
  );

  test('the limits of the state are those that requests are held to', async () => {
    const { alice, bob } = await realm();
    const state = await stateOf(alice, 'realm');
    const phone = await bob.listen();
    await tell(alice, [bob], 'a'.repeat(state.max_message_length));
    await tell(alice, [bob], 'a'.repeat(state.max_message_length + 1));
    const lengths = (await messagesHeard(phone)).map(({ content }) => content.length);
    expect(lengths).toEqual([state.max_message_length, state.max_message_length]);
  });

  test('the number of a channel’s subscribers is in the state of those who may know of it', async () => {
    const { alice, bob } = await realm();
    const id = await createChannel(alice, 'news', [alice, bob]);
    const count = async () => (await register(bob, ['subscription'])).subscriptions[0].subscriber_count;
    expect(await count()).toBe(2);
    await setSubscriberCount(id, 77);
    expect(await count()).toBe(77);
  });

  test('unread messages of a registration are those that were not read, and none that were sent before joining', async () => {
    const { alice, bob } = await realm();
    const news = await emptyChannel(alice, 'news');
    await say(alice, news);
    await subscribe(alice, 'news', [bob]);
    const [read, unread] = [await say(alice, news), await say(alice, news)];
    await succeed(bob.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' }));
    const { unread_msgs } = await register(bob, ['message', 'update_message_flags']);
    expect(unread_msgs).toMatchObject({ count: 1, streams: [{ unread_message_ids: [unread] }] });
  });
});
