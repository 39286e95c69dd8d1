import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  createChannel,
  groupId,
  outcomeOf,
  realm,
  setLastActive,
  setSubscriberCount,
} from '../../support/index.ts';

const leave = (by: Person, names: string[], principals?: Person[]) =>
  by.delete('/users/me/subscriptions', {
    subscriptions: names,
    principals: principals?.map(({ id }) => id),
  });

const kinds = (events: Json[]) => events.map(({ type, op }) => `${type} ${op}`);

describe('DELETE /users/me/subscriptions', () => {
  test('leaves channels, and says of which nobody was in', async () => {
    const { alice, bob } = await realm();
    await createChannel(alice, 'news', [alice, bob]);
    await createChannel(alice, 'other', [bob]);
    expect(await leave(alice, ['NEWS', 'other', 'news'])).toEqual({
      result: 'success',
      msg: '',
      removed: ['news'],
      not_removed: ['other'],
    });
    expect((await alice.get('/users/me/subscriptions')).subscriptions).toEqual([]);
    expect(await leave(alice, ['news', 'nowhere', 'nothing'])).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'These channels do not exist: nowhere, nothing.',
    });
  });

  test('tells the others, then those who left, who may see the channel no more', async () => {
    const { moderator, alice, bob, guest } = await realm();
    await createChannel(moderator, 'news', [alice, bob, guest]);
    await createChannel(moderator, 'secret', [alice, bob], { invite_only: true });
    const listen = (by: Person) => by.listen({ event_types: ['stream', 'subscription'] });
    const [hers, his, theirs] = [await listen(alice), await listen(bob), await listen(guest)];
    await leave(alice, ['news', 'secret']);
    await leave(guest, ['news']);
    expect(kinds(await hers.hears())).toEqual([
      'subscription remove',
      'subscription remove',
      'stream delete',
      // Of the guest.
      'subscription peer_remove',
    ]);
    const told = await his.hears();
    expect(kinds(told)).toEqual(Array.from({ length: 3 }, () => 'subscription peer_remove'));
    expect(told).toMatchObject([
      { user_ids: [alice.id] },
      { user_ids: [alice.id] },
      { user_ids: [guest.id] },
    ]);
    expect(kinds(await theirs.hears())).toEqual([
      'subscription peer_remove',
      'subscription remove',
      'stream delete',
    ]);
  });

  test('what was received stays, what comes later does not', async () => {
    const { alice, bob } = await realm();
    await createChannel(alice, 'news', [alice, bob]);
    const say = (content: string) =>
      alice.post('/messages', { type: 'channel', to: 'news', topic: 't', content });
    await say('before');
    await leave(bob, ['news']);
    const phone = await bob.listen();
    await say('meanwhile');
    expect(await phone.hears()).toEqual([]);
    await bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }] });
    await say('after');
    const { messages } = await bob.get('/messages', {
      anchor: 'newest',
      num_before: 9,
      apply_markdown: false,
    });
    const contents = messages.map(({ content }: Json) => content);
    expect(contents).toContain('before');
    expect(contents).not.toContain('meanwhile');
    expect(contents.at(-1)).toBe('after');
  });

  test('is for oneself, one’s bots, and those who may remove others', async () => {
    const { owner, admin, moderator, alice, bob, carol, guest, bot } = await realm();
    const id = await createChannel(moderator, 'news', [moderator, alice, bob, guest, bot]);
    const refused = 'You do not have permission to do this.';
    expect(outcomeOf(await leave(alice, ['news'], [bob]))).toBe(refused);
    expect(outcomeOf(await leave(guest, ['news'], [bob]))).toBe(refused);
    expect(outcomeOf(await leave(alice, ['news'], [bot]))).toBe(refused);
    expect(outcomeOf(await leave(owner, ['news'], [bot])), 'its owner').toBe('ok');
    expect(outcomeOf(await leave(moderator, ['news'], [guest])), 'who made the channel').toBe('ok');
    const onlyCarol = { new: { direct_members: [carol.id], direct_subgroups: [] } };
    await moderator.patch(`/streams/${id}`, { can_remove_subscribers_group: onlyCarol });
    expect(await leave(carol, ['news'], [alice])).toMatchObject({ removed: ['news'] });
    expect(await leave(admin, ['news'], [bob])).toMatchObject({ removed: ['news'] });
    expect(outcomeOf(await leave(alice, ['news'], [{ ...bob, id: 999_999 }]))).toBe(
      'This user does not exist.',
    );
  });
});

describe('PATCH /users/me/subscriptions', () => {
  test('comes into channels and leaves others', async () => {
    const { alice, bob } = await realm();
    await createChannel(alice, 'here', [bob]);
    const changes = { add: [{ name: 'there', color: '#abc' }, { name: 'HERE' }], delete: ['here'] };
    expect(await bob.patch('/users/me/subscriptions', changes)).toEqual({
      result: 'success',
      msg: '',
      subscribed: { [bob.id]: ['there'] },
      already_subscribed: {},
      new_subscription_messages_sent: true,
      removed: ['here'],
      not_removed: [],
    });
    expect((await bob.get('/users/me/subscriptions')).subscriptions).toMatchObject([
      { name: 'there', color: '#aabbcc' },
    ]);
    const narrow = [['channel', 'there']];
    const { messages } = await bob.get('/messages', { anchor: 'newest', num_before: 9, narrow });
    expect(messages).toMatchObject([{ display_recipient: 'there', subject: 'channel events' }]);
    expect(await bob.patch('/users/me/subscriptions', { delete: ['there'] })).toMatchObject({
      new_subscription_messages_sent: true,
      removed: ['there'],
    });
    expect(outcomeOf(await bob.patch('/users/me/subscriptions', {}))).toMatch(/^There is nothing to change/);
  });
});

describe('who may subscribe whom', () => {
  const bring = async (by: Person, name: string, person: Person) =>
    outcomeOf(
      await by.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [person.id] }),
    );

  test('members may bring others where the organization, the channel or its administration lets them', async () => {
    const { owner, alice, bob, carol, guest } = await realm();
    const id = await createChannel(alice, 'news', [alice, bob]);
    expect(await bring(bob, 'news', carol)).toBe('ok');
    await owner.patch('/realm', { can_add_subscribers_group: { new: await groupId(owner, 'role:owners') } });
    expect(await bring(bob, 'news', guest)).toBe('You do not have permission to do this.');
    expect(await bring(alice, 'news', guest), 'who made it').toBe('ok');
    expect(await bring(bob, 'news', bob), 'oneself').toBe('ok');
    const onlyBob = { new: { direct_members: [bob.id], direct_subgroups: [] } };
    await alice.patch(`/streams/${id}`, { can_add_subscribers_group: onlyBob });
    expect(await bring(bob, 'news', owner)).toBe('ok');
  });

  test('people are told in person who brought them where, unless the channel is new or they are many', async () => {
    const { alice, bob, bot, join } = await realm();
    await createChannel(alice, 'news');
    await createChannel(alice, 'sports');
    const phone = await bob.listen({ event_types: ['message'] });
    const reply = await alice.post('/users/me/subscriptions', {
      subscriptions: [{ name: 'news' }, { name: 'sports' }, { name: 'new' }],
      principals: [alice.id, bob.id, bot.id],
    });
    expect(reply).toMatchObject({ new_subscription_messages_sent: true });
    const [creation, notice, ...more] = await phone.hears();
    expect(more).toEqual([]);
    expect(creation).toMatchObject({ message: { display_recipient: 'new', subject: 'channel events' } });
    expect(notice).toMatchObject({ message: { type: 'private', sender_full_name: 'Notification Bot' } });
    expect(notice?.['message'].content).toContain('#**news**');
    expect(notice?.['message'].content).toContain('#**sports**');
    expect(notice?.['message'].content).not.toContain('#**new**');
    const { messages } = await bot.get('/messages', { anchor: 'newest', num_before: 9 });
    expect(messages).toMatchObject([{ display_recipient: 'new' }]);

    const many = [];
    for (let index = 0; index < 101; index += 1) many.push((await join({ name: `Number ${index}` })).id);
    const mass = { subscriptions: [{ name: 'news' }], principals: many };
    expect(await alice.post('/users/me/subscriptions', mass)).toMatchObject({
      new_subscription_messages_sent: false,
    });
    const quiet = { ...mass, principals: [bob.id], send_new_subscription_messages: false };
    expect(await alice.post('/users/me/subscriptions', quiet)).not.toHaveProperty(
      'new_subscription_messages_sent',
    );
  });

  test('channels that a subscription makes are made as if by themselves', async () => {
    const { owner, alice } = await realm();
    await owner.patch('/realm', {
      can_create_private_channel_group: { new: await groupId(owner, 'role:owners') },
    });
    const subscribe = (params: object) =>
      alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'made' }], ...params });
    expect(outcomeOf(await subscribe({ invite_only: true }))).toBe('You do not have permission to do this.');
    expect(outcomeOf(await subscribe({ folder_id: 999_999 }))).toBe('This channel folder does not exist.');
    expect(outcomeOf(await subscribe({ topics_policy: '"empty_topic_only"' }))).toBe('ok');
    const { streams } = await alice.get('/streams');
    expect(streams).toMatchObject([{ name: 'made', topics_policy: 'empty_topic_only' }]);
    expect(outcomeOf(await subscribe({ invite_only: true })), 'it is there').toBe('ok');
    const { messages } = await alice.get('/messages', {
      anchor: 'newest',
      num_before: 9,
      allow_empty_topic_name: true,
    });
    expect(messages, 'only the empty topic is there').toMatchObject([{ subject: '' }]);
  });
});

describe('what one sets about a channel', () => {
  test('is told to one’s own clients alone, muting in the old words first', async () => {
    const { alice, bob } = await realm();
    const id = await createChannel(alice, 'news', [alice, bob]);
    const [phone, other] = [await alice.listen(), await bob.listen()];
    const set = (property: string, value: Json) => ({ stream_id: id, property, value });
    const reply = await alice.post('/users/me/subscriptions/properties', {
      subscription_data: [set('is_muted', true), set('color', '#F0A'), set('pin_to_top', false)],
    });
    expect(reply).toEqual({ result: 'success', msg: '' });
    expect(await phone.hears()).toMatchObject([
      { type: 'subscription', op: 'update', stream_id: id, property: 'in_home_view', value: false },
      { property: 'is_muted', value: true },
      { property: 'color', value: '#ff00aa' },
    ]);
    expect(await other.hears()).toEqual([]);
    await alice.patch(`/users/me/subscriptions/${id}`, { property: 'in_home_view', value: true });
    await alice.patch(`/users/me/subscriptions/${id}`, { property: 'color', value: '"#123456"' });
    await alice.patch(`/users/me/subscriptions/${id}`, { property: 'push_notifications', value: true });
    expect((await alice.get('/users/me/subscriptions')).subscriptions).toMatchObject([
      {
        is_muted: false,
        in_home_view: true,
        color: '#123456',
        push_notifications: true,
        email_notifications: null,
      },
    ]);
  });

  test('what is left open is, for old clients, what the user has chosen for all channels', async () => {
    const { alice } = await realm();
    await alice.patch('/settings', {
      enable_stream_email_notifications: true,
      wildcard_mentions_notify: false,
    });
    const old = await alice.listen();
    const id = await createChannel(alice, 'news');
    const [added] = (await old.hears()).filter(({ op }) => op === 'add');
    const chosen = { email_notifications: true, push_notifications: false, wildcard_mentions_notify: false };
    expect(added?.['subscriptions']).toMatchObject([chosen]);
    const registered = async (client_capabilities?: object) =>
      (await alice.post('/register', { fetch_event_types: ['subscription'], client_capabilities }))
        .subscriptions;
    expect(await registered()).toMatchObject([chosen]);
    expect(await registered({ notification_settings_null: true })).toMatchObject([
      { email_notifications: null, wildcard_mentions_notify: null },
    ]);
    await alice.patch('/settings', { wildcard_mentions_notify: true });
    expect(await registered()).toMatchObject([{ wildcard_mentions_notify: true }]);
    await alice.patch(`/users/me/subscriptions/${id}`, { property: 'email_notifications', value: false });
    expect(await registered()).toMatchObject([{ email_notifications: false }]);
  });

  test('follows for old clients what the user chooses for all channels', async () => {
    const { alice } = await realm();
    const old = await alice.listen({ event_types: ['subscription'] });
    const modern = await alice.listen({
      event_types: ['subscription'],
      client_capabilities: { notification_settings_null: true },
    });
    const [own, inherited] = [await createChannel(alice, 'own'), await createChannel(alice, 'inherited')];
    const push = { property: 'push_notifications', value: false };
    await alice.patch(`/users/me/subscriptions/${own}`, push);
    for (const listener of [old, modern]) await listener.hears();

    await alice.patch('/settings', { enable_stream_push_notifications: true });

    const update = { type: 'subscription', op: 'update', stream_id: inherited };
    expect(await old.hears()).toEqual([
      { ...update, property: 'push_notifications', value: true, id: expect.any(Number) },
    ]);
    expect(await modern.hears()).toEqual([]);
  });

  test('comes back with who comes back', async () => {
    const { alice, bob } = await realm();
    const id = await createChannel(alice, 'news', [alice, bob]);
    await bob.patch(`/users/me/subscriptions/${id}`, { property: 'is_muted', value: true });
    await leave(bob, ['news']);
    const { unsubscribed, never_subscribed } = await bob.post('/register', {
      fetch_event_types: ['subscription'],
    });
    expect([unsubscribed.length, never_subscribed.length]).toEqual([1, 0]);
    const phone = await bob.listen();
    await bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }] });
    expect(await phone.hears()).toMatchObject([{ op: 'add', subscriptions: [{ is_muted: true }] }]);
  });

  test('is refused where there is no subscription, property or value', async () => {
    const { alice, bob } = await realm();
    const id = await createChannel(alice, 'news', [alice]);
    const secret = await createChannel(alice, 'secret', [alice], { invite_only: true });
    const answer = async (by: Person, stream_id: number, property: string, value: Json) =>
      outcomeOf(
        await by.post('/users/me/subscriptions/properties', {
          subscription_data: [{ stream_id, property, value }],
        }),
      );
    expect(await answer(bob, id, 'is_muted', true)).toBe(
      `You are not subscribed to the channel with the id ${id}.`,
    );
    expect(await answer(bob, secret, 'is_muted', true)).toBe('This channel does not exist.');
    expect(await answer(alice, id, 'nonsense', true)).toBe("A subscription has no property 'nonsense'.");
    expect(await answer(alice, id, 'pin_to_top', 'yes')).toBe('pin_to_top must be true or false.');
    expect(await answer(alice, id, 'color', 'red')).toBe('color must be a color such as #a1b2c3.');
    expect(await answer(alice, id, 'color', true)).toBe('color must be a color such as #a1b2c3.');
  });
});

describe('who is subscribed', () => {
  test('is listed whole, or of large channels as far as people were here lately', async () => {
    const { owner, alice, bob, bot } = await realm();
    const id = await createChannel(owner, 'square', [owner, alice, bob, bot]);
    await createChannel(owner, 'corner', [owner, alice]);
    const register = async (include_subscribers: string) => {
      const { subscriptions } = await alice.post('/register', {
        fetch_event_types: ['subscription'],
        include_subscribers,
      });
      return subscriptions.map(({ subscribers, partial_subscribers }: Json) => ({
        ...(subscribers && { subscribers }),
        ...(partial_subscribers && { partial_subscribers }),
      }));
    };
    const everyone = [owner.id, alice.id, bob.id, bot.id];
    const corner = { subscribers: [owner.id, alice.id] };
    expect(await register('false')).toEqual([{}, {}]);
    expect(await register('true')).toEqual([corner, { subscribers: everyone }]);
    expect(await register('partial')).toEqual([corner, { subscribers: everyone }]);
    // As if there were many more; whoever registers is here.
    await setSubscriberCount(id, 250);
    await setLastActive(bob, 3);
    await setLastActive(owner, 15);
    expect(await register('partial')).toEqual([corner, { partial_subscribers: [alice.id, bob.id, bot.id] }]);
    expect(await register('true')).toEqual([corner, { subscribers: everyone }]);
  });
});
