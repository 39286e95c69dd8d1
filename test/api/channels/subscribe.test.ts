import { describe, expect, test } from 'vitest';

import { type Json, type Person, realm, say } from '../../support/index.ts';

const subscribe = (by: Person, params: object) =>
  by.post('/users/me/subscriptions', { send_new_subscription_messages: false, ...params });
const namesOf = (channels: Json[]): string[] => channels.map(({ name }) => name);

describe('POST /users/me/subscriptions', () => {
  test('creates a channel and subscribes its creator', async () => {
    const { alice } = await realm();
    const reply = await subscribe(alice, {
      send_new_subscription_messages: true,
      subscriptions: [{ name: ' News ', description: 'All\n the news', color: '#F0A' }],
    });
    expect(reply).toEqual({
      result: 'success',
      msg: '',
      subscribed: { [alice.id]: ['News'] },
      already_subscribed: {},
      new_subscription_messages_sent: true,
    });
    expect((await alice.get('/users/me/subscriptions')).subscriptions).toMatchObject([
      {
        name: 'News',
        description: 'All the news',
        color: '#ff00aa',
        creator_id: alice.id,
        invite_only: false,
        history_public_to_subscribers: true,
        subscriber_count: 1,
        is_muted: false,
        in_home_view: true,
        first_message_id: expect.any(Number),
      },
    ]);
    const { messages } = await alice.get('/messages', { anchor: 'newest', num_before: 9 });
    expect(messages).toMatchObject([{ subject: 'channel events', sender_full_name: 'Notification Bot' }]);
  });

  test('subscribes others, by id or by address, and says who already was', async () => {
    const { alice, bob, carol, guest } = await realm();
    await subscribe(alice, { subscriptions: [{ name: 'news' }], principals: [alice.id, bob.id] });
    const reply = await subscribe(alice, {
      subscriptions: [{ name: 'NEWS' }, { name: 'sports' }],
      principals: [bob.email, carol.email.toUpperCase(), guest.email],
    });
    expect(reply).toMatchObject({
      subscribed: {
        [bob.id]: ['sports'],
        [carol.id]: ['news', 'sports'],
        [guest.id]: ['news', 'sports'],
      },
      already_subscribed: { [bob.id]: ['news'] },
    });
    const { subscriptions } = await carol.get('/users/me/subscriptions', { include_subscribers: 'true' });
    expect(subscriptions).toMatchObject([
      { name: 'news', subscribers: [alice.id, bob.id, carol.id, guest.id] },
      { name: 'sports', subscribers: [bob.id, carol.id, guest.id] },
    ]);
  });

  test('tells the newcomer of the channel, and the others of the newcomer', async () => {
    const { alice, bob, carol, guest } = await realm();
    await subscribe(alice, { subscriptions: [{ name: 'news' }] });
    const [his, hers, visitors] = [
      await bob.listen({ include_subscribers: 'true' }),
      await carol.listen(),
      await guest.listen(),
    ];
    const uninterested = await bob.listen({ include_subscribers: 'false' });
    await subscribe(alice, { subscriptions: [{ name: 'news' }], principals: [bob.id, guest.id] });

    expect(await his.hears()).toMatchObject([
      {
        type: 'subscription',
        op: 'add',
        subscriptions: [{ name: 'news', subscribers: [alice.id, bob.id, guest.id] }],
      },
    ]);
    const [added] = await uninterested.hears();
    expect(added?.['subscriptions']).toMatchObject([{ name: 'news' }]);
    expect(added?.['subscriptions'][0]).not.toHaveProperty('subscribers');
    expect(await hers.hears()).toMatchObject([
      { type: 'subscription', op: 'peer_add', user_ids: [bob.id, guest.id] },
    ]);
    expect((await visitors.hears()).map(({ type, op }) => [type, op])).toEqual([
      ['stream', 'create'],
      ['subscription', 'add'],
    ]);
  });

  test('keeps a private channel from those outside, but not from administrators', async () => {
    const { alice, bob, carol, admin, guest } = await realm();
    const listeners = {
      bob: await bob.listen(),
      admin: await admin.listen(),
      carol: await carol.listen(),
      guest: await guest.listen(),
    };
    await subscribe(alice, {
      subscriptions: [{ name: 'secret' }],
      principals: [alice.id, bob.id],
      invite_only: true,
    });

    expect((await listeners.bob.hears()).map(({ type, op }) => [type, op])).toEqual([
      ['stream', 'create'],
      ['subscription', 'add'],
      ['stream', 'update'],
      ['message', undefined],
    ]);
    expect((await listeners.admin.hears()).map(({ type, op }) => [type, op])).toEqual([
      ['stream', 'create'],
      ['subscription', 'peer_add'],
      ['stream', 'update'],
    ]);
    expect(await listeners.carol.hears()).toEqual([]);
    expect(await listeners.guest.hears()).toEqual([]);

    const unreachable = { subscriptions: [{ name: 'secret' }, { name: 'open' }] };
    expect(await subscribe(carol, unreachable)).toMatchObject({
      code: 'BAD_REQUEST',
      msg: "You do not have access to the channel 'secret'.",
    });
    expect(namesOf((await carol.get('/streams')).streams), 'all or nothing').toEqual([]);
    expect(await subscribe(carol, { ...unreachable, authorization_errors_fatal: false })).toMatchObject({
      subscribed: { [carol.id]: ['open'] },
      unauthorized: ['secret'],
    });
  });

  test('refuses what no channel can be', async () => {
    const { alice, guest, bob } = await realm();
    const refusal = async (params: object, by: Person = alice) => {
      const { code, msg } = await subscribe(by, params);
      return [code, msg];
    };
    const named = (name: string) => refusal({ subscriptions: [{ name }] });
    expect(await named(' ')).toEqual(['BAD_REQUEST', 'Enter a name for the channel.']);
    expect(await named('x'.repeat(61))).toEqual([
      'BAD_REQUEST',
      'The name of a channel can have at most 60 characters.',
    ]);
    expect(await named('a\u0007')).toEqual([
      'BAD_REQUEST',
      'The name of the channel contains a character that is not allowed, at position 2.',
    ]);
    expect((await subscribe(alice, { subscriptions: [{ name: '😀'.repeat(60) }] })).result).toBe('success');
    expect(await refusal({ subscriptions: [{ name: 'a', description: 'x'.repeat(1025) }] })).toEqual([
      'BAD_REQUEST',
      'The description can have at most 1024 characters.',
    ]);
    expect((await refusal({ subscriptions: [{ name: 'a', color: 'red' }] }))[0]).toBe('BAD_REQUEST');
    expect((await refusal({ subscriptions: [{}] }))[1]).toBe('subscriptions[0]["name"] is missing.');
    expect((await refusal({ subscriptions: ['a'] }))[0]).toBe('BAD_REQUEST');
    expect(await refusal({})).toEqual([
      'REQUEST_VARIABLE_MISSING',
      "The parameter 'subscriptions' is missing.",
    ]);
    expect(await refusal({ subscriptions: [{ name: 'a' }], principals: [999] })).toEqual([
      'BAD_REQUEST',
      'This user does not exist.',
    ]);
    expect(await refusal({ subscriptions: [{ name: 'a' }], principals: ['x@y.example'] })).toEqual([
      'BAD_REQUEST',
      'This user does not exist.',
    ]);
    expect((await refusal({ subscriptions: [{ name: 'a' }], principals: [bob.id, bob.email] }))[0]).toBe(
      'BAD_REQUEST',
    );
    expect(await refusal({ subscriptions: [{ name: 'a' }] }, guest)).toEqual([
      'BAD_REQUEST',
      'Guests cannot do this.',
    ]);
  });

  test.each([
    ['Rush', 'rUSH'],
    ['İzmir', 'izmir'],
  ])('creates %s and %s once, however many people create them at the same moment', async (...names) => {
    const { owner, admin, moderator, alice, bob, carol, bot } = await realm();
    const people = [owner, admin, moderator, alice, bob, carol, bot];
    const listeners = await Promise.all(people.map((person) => person.listen({ event_types: ['stream'] })));

    const replies = await Promise.all(
      people.map((person, index) => subscribe(person, { subscriptions: [{ name: names[index % 2] ?? '' }] })),
    );

    for (const [index, person] of people.entries()) {
      expect(names, person.name).toContain(replies[index].subscribed[person.id]?.[0]);
    }
    const { streams } = await owner.get('/streams');
    expect(streams).toMatchObject([{ subscriber_count: people.length }]);
    for (const listener of listeners) {
      expect((await listener.hears()).map(({ op }) => op)).toEqual(['create', 'update']);
    }
  });

  test.each([
    ['Rush', 'rUSH'],
    ['İzmir', 'izmir'],
  ])('%s and %s in one request are one channel', async (...names) => {
    const { alice } = await realm();
    const subscriptions = names.map((name) => ({ name }));
    const first = await subscribe(alice, { subscriptions });
    expect(first.subscribed[alice.id]).toHaveLength(1);
    const second = await subscribe(alice, { subscriptions });
    expect(second.already_subscribed[alice.id]).toEqual(first.subscribed[alice.id]);
  });

  test('many people at once, in channels named in different orders, never wait for each other for ever', async () => {
    const { owner, admin, moderator, alice, bob, carol } = await realm();
    const people = [owner, admin, moderator, alice, bob, carol];
    const names = ['a', 'b', 'c', 'd'];
    const everyone = people.map(({ id }) => id);
    const replies = await Promise.all(
      people.flatMap((person, index) =>
        [names, [...names].reverse()].map((order) =>
          subscribe(person, {
            subscriptions: order.map((name) => ({ name })),
            principals: index % 2 ? everyone : [...everyone].reverse(),
          }),
        ),
      ),
    );
    for (const reply of replies) expect(reply).toMatchObject({ result: 'success' });
    for (const { stream_id } of (await owner.get('/streams')).streams) {
      expect((await owner.get(`/streams/${stream_id}/members`)).subscribers.toSorted()).toEqual(everyone);
    }
    const perUser = replies.flatMap(({ subscribed }) => Object.values(subscribed).flat());
    expect(perUser, 'each was subscribed to each once').toHaveLength(people.length * names.length);
  });

  test('a message sent while someone joins is theirs exactly if they were told they are in first', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, { subscriptions: [{ name: 'news' }] });
    await say(alice, 'news');
    const phone = await bob.listen();
    const sending = Array.from({ length: 30 }, () =>
      alice.post('/messages', { type: 'channel', to: 'news', topic: 't', content: 'x' }),
    );
    const joining = subscribe(alice, { subscriptions: [{ name: 'news' }], principals: [bob.id] });
    const sent: number[] = (await Promise.all(sending)).map(({ id }) => id).sort((a, b) => a - b);
    await joining;
    sent.push(
      (await alice.post('/messages', { type: 'channel', to: 'news', topic: 't', content: 'last' })).id,
    );

    const [added, ...rest] = await phone.hears();
    expect(added).toMatchObject({ type: 'subscription', op: 'add' });
    const heard = rest.map(({ message }) => message.id);
    expect(heard).toEqual(sent.slice(sent.length - heard.length));
    const { messages } = await bob.get('/messages', { anchor: 'newest', num_before: 100 });
    expect(messages.map(({ id }: Json) => id)).toEqual(heard);
  });
});

describe('GET /streams', () => {
  test('lists what each may see', async () => {
    const { owner, alice, bob, guest } = await realm();
    await subscribe(alice, { subscriptions: [{ name: 'open' }] });
    await subscribe(alice, { subscriptions: [{ name: 'Lobby' }], principals: [guest.id] });
    await subscribe(alice, { subscriptions: [{ name: 'secret' }], invite_only: true });
    const seenBy = async (who: Person, params = {}) => namesOf((await who.get('/streams', params)).streams);

    expect(await seenBy(alice)).toEqual(['Lobby', 'open', 'secret']);
    expect(await seenBy(bob)).toEqual(['Lobby', 'open']);
    expect(await seenBy(guest)).toEqual(['Lobby']);
    expect(await seenBy(owner)).toEqual(['Lobby', 'open']);
    expect(await seenBy(owner, { include_all: true })).toEqual(['Lobby', 'open', 'secret']);
    expect(await seenBy(bob, { include_all: true })).toEqual(['Lobby', 'open']);
    expect(await seenBy(alice, { include_public: false })).toEqual(['open', 'secret']);
    expect(await seenBy(alice, { include_subscribed: false })).toEqual(['Lobby', 'open']);
    expect(await alice.get('/streams', { include_public: 1 })).toMatchObject({
      msg: 'include_public must be true or false.',
    });
  });
});
