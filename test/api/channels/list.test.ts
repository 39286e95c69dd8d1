import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  createChannel,
  groupId,
  realm,
  say,
  subscribe,
} from '../../support/index.ts';

const namesOf = (listed: Json[]): string[] => listed.map(({ name }) => name);

describe('GET /streams', () => {
  test('lists also what is default, what the owner of a bot is in, and what one may read', async () => {
    const { owner, alice, bob, bot } = await realm();
    await createChannel(owner, 'lobby', [], { is_default_stream: true });
    await createChannel(owner, 'office', [owner], { invite_only: true });
    const members = await groupId(owner, 'role:members');
    await createChannel(owner, 'club', [owner], { invite_only: true, can_subscribe_group: members });
    const seen = async (by: Person, params: object) =>
      namesOf((await by.get('/streams', { ...params })).streams);
    const nothing = { include_public: false, include_subscribed: false };
    expect((await alice.get('/streams', { include_default: true })).streams).toMatchObject([
      { name: 'lobby', is_default: true },
    ]);
    expect((await alice.get('/streams')).streams[0]).not.toHaveProperty('is_default');
    expect(await seen(bob, { ...nothing, include_can_access_content: true })).toEqual(['club', 'lobby']);
    expect(await seen(owner, { ...nothing, include_all: true })).toEqual(['club', 'lobby', 'office']);
    // What the bot itself may not see stays hidden.
    expect(await seen(bot, { ...nothing, include_owner_subscribed: true })).toEqual(['club']);
    expect(await seen(alice, { ...nothing, include_owner_subscribed: true })).toEqual([]);
  });
});

describe('one channel', () => {
  test('is found by id and by name by those who may know of it', async () => {
    const { admin, alice, bob, guest } = await realm();
    const id = await createChannel(alice, 'Secret', [alice, guest], { invite_only: true });
    for (const by of [alice, admin, guest]) {
      expect(await by.get(`/streams/${id}`)).toMatchObject({ stream: { stream_id: id, name: 'Secret' } });
      expect(await by.get('/get_stream_id', { stream: 'SECRET' })).toMatchObject({ stream_id: id });
      expect(await by.get(`/streams/${id}/members`)).toMatchObject({ subscribers: [alice.id, guest.id] });
      expect(await by.get(`/users/${guest.id}/subscriptions/${id}`)).toMatchObject({ is_subscribed: true });
    }
    expect(await bob.get(`/streams/${id}`)).toMatchObject({ msg: 'This channel does not exist.' });
    expect(await bob.get('/get_stream_id', { stream: 'Secret' })).toMatchObject({
      msg: "There is no channel called 'Secret'.",
    });
    expect(await bob.get(`/users/${guest.id}/subscriptions/${id}`)).toMatchObject({
      msg: 'This channel does not exist.',
    });
    const open = await createChannel(alice, 'open', [alice]);
    expect(await bob.get(`/users/${alice.id}/channels`)).toMatchObject({ subscribed_channel_ids: [open] });
    expect(await admin.get(`/users/${alice.id}/channels`)).toMatchObject({
      subscribed_channel_ids: [id, open],
    });
    expect(await bob.get(`/users/999999/channels`)).toMatchObject({ msg: 'This user does not exist.' });
  });

  test('has an address for mail that stays, one for each sender', async () => {
    const { owner, alice, bob, bot } = await realm();
    const id = await createChannel(owner, 'Some news!', [owner, alice]);
    const address = async (by: Person, params: object = {}) =>
      (await by.get(`/streams/${id}/email_address`, { ...params })).email;
    const first = await address(alice);
    expect(first).toMatch(/^some-news\.[0-9a-f]{32}@r/);
    await owner.patch(`/streams/${id}`, { description: 'x' });
    expect(await address(alice)).toBe(first);
    expect(await address(bob)).not.toBe(first);
    expect(await address(owner, { sender_id: bot.id })).toMatch(/@r/);
    expect(await alice.get(`/streams/${id}/email_address`, { sender_id: bot.id })).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });
});

describe('GET /users/me/{stream_id}/topics', () => {
  test('lists topics by their newest message, under one name whatever the case', async () => {
    const { alice, bob } = await realm();
    const { subscribed } = await subscribe(alice, 'news');
    expect(subscribed[alice.id]).toEqual(['news']);
    const { stream_id: id } = await alice.get('/get_stream_id', { stream: 'news' });
    await say(alice, id, 'Lunch');
    const none = await say(alice, id, '');
    const lunch = await say(alice, id, 'LUNCH');
    await alice.post('/user_topics', { stream_id: id, topic: 'nothing said', visibility_policy: 3 });
    expect((await bob.get(`/users/me/${id}/topics`)).topics).toEqual([
      { name: 'Lunch', max_id: lunch },
      { name: 'general chat', max_id: none },
    ]);
    const { topics } = await bob.get(`/users/me/${id}/topics`, { allow_empty_topic_name: true });
    expect(topics[1]).toEqual({ name: '', max_id: none });
  });

  test('the topics of a channel with protected history are those that the user received', async () => {
    const { alice, bob, carol } = await realm();
    const id = await createChannel(alice, 'secret', [alice, carol], {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    await say(alice, id, 'before');
    const both = await say(alice, id, 'both');
    const bring = (person: Person) =>
      alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], principals: [person.id] });
    await bring(bob);
    const after = await say(alice, id, 'after');
    const last = await say(alice, id, 'both');
    await bob.delete('/users/me/subscriptions', { subscriptions: ['secret'] });
    await say(alice, id, 'meanwhile');
    await say(alice, id, 'after');
    await bring(bob);
    expect((await bob.get(`/users/me/${id}/topics`)).topics).toEqual([
      { name: 'both', max_id: last },
      { name: 'after', max_id: after },
    ]);
    const names = (await carol.get(`/users/me/${id}/topics`)).topics.map(({ name }: Json) => name);
    expect(names.sort()).toEqual(['after', 'before', 'both', 'channel events', 'meanwhile']);
    expect(both).toBeLessThan(last);
  });
});
