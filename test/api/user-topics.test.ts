import { describe, expect, test } from 'vitest';

import { type Person, createChannel, done, newest, realm, refused, succeed } from '../support/index.ts';

const topicsOf = async (person: Person) =>
  (await person.post('/register', { fetch_event_types: ['user_topic'], client_capabilities: newest }))
    .user_topics;

describe('POST /user_topics', () => {
  test('keeps how visible a topic is, and tells the user’s own clients, the whole list of muted ones first', async () => {
    const { alice, bob } = await realm();
    const stream_id = await createChannel(alice, 'news');
    const phone = await alice.listen({ client_capabilities: newest });
    const newer = await alice.listen({ event_types: ['user_topic', 'muted_topics'] });
    const stranger = await bob.listen();

    await alice.post('/user_topics', { stream_id, topic: 'Lunch', visibility_policy: 1 });

    const policy = { type: 'user_topic', stream_id, topic_name: 'Lunch', visibility_policy: 1 };
    expect(await phone.hears()).toMatchObject([
      { type: 'muted_topics', muted_topics: [['news', 'Lunch', expect.any(Number)]] },
      policy,
    ]);
    expect(await newer.hears()).toMatchObject([policy]);
    expect(await stranger.hears()).toEqual([]);
    expect(await topicsOf(alice)).toMatchObject([{ stream_id, topic_name: 'Lunch', visibility_policy: 1 }]);
  });

  test('knows a topic by its name without regard to case, and says nothing when nothing changes', async () => {
    const { alice } = await realm();
    const stream_id = await createChannel(alice, 'news');
    await alice.post('/user_topics', { stream_id, topic: 'Lunch', visibility_policy: 3 });
    const phone = await alice.listen();

    expect(
      await alice.post('/user_topics', { stream_id, topic: 'LUNCH', visibility_policy: 3 }),
    ).toMatchObject({
      result: 'success',
    });

    expect(await phone.hears()).toEqual([]);
    expect(await topicsOf(alice)).toHaveLength(1);
  });

  test('forgets a topic that is to be as its channel is', async () => {
    const { alice } = await realm();
    const stream_id = await createChannel(alice, 'news');
    for (const visibility_policy of [3, 0]) {
      await alice.post('/user_topics', { stream_id, topic: 'Lunch', visibility_policy });
    }
    expect(await topicsOf(alice)).toEqual([]);
  });

  test('shows the empty topic by its display name to clients that do not know it', async () => {
    const { alice } = await realm();
    const stream_id = await createChannel(alice, 'news');
    const old = await alice.listen();
    const phone = await alice.listen({ client_capabilities: newest });
    await alice.post('/user_topics', { stream_id, topic: '', visibility_policy: 3 });
    expect((await old.hears()).at(-1)).toMatchObject({ topic_name: 'general chat' });
    expect((await phone.hears()).at(-1)).toMatchObject({ topic_name: '' });
  });

  test('refuses channels out of reach, policies that are none, and topics that are too long', async () => {
    const { alice, bob, guest } = await realm();
    const secret = await createChannel(alice, 'secret', [alice], { invite_only: true });
    const open = await createChannel(alice, 'news');
    const ask = (by: Person, stream_id: number, more: object = {}) =>
      by.post('/user_topics', { stream_id, topic: 't', visibility_policy: 1, ...more });
    const outOfReach = { code: 'BAD_REQUEST', msg: 'This channel does not exist.' };
    expect(await ask(bob, secret)).toMatchObject(outOfReach);
    expect(await ask(guest, open)).toMatchObject(outOfReach);
    expect(await ask(bob, 2_000_000_000)).toMatchObject(outOfReach);
    expect(await ask(alice, open, { visibility_policy: 4 })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await ask(alice, open, { topic: 'x'.repeat(61) })).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'topic can have at most 60 characters.',
    });
  });
});

describe('PATCH /users/me/subscriptions/muted_topics', () => {
  test('mutes and unmutes, by id or by name, however often', async () => {
    const { alice } = await realm();
    const stream_id = await createChannel(alice, 'news');
    const path = '/users/me/subscriptions/muted_topics';
    const phone = await alice.listen({ event_types: ['user_topic'] });
    for (const where of [{ stream_id }, { stream: 'NEWS' }]) {
      expect(await alice.patch(path, { ...where, topic: 't', op: 'add' })).toMatchObject({
        result: 'success',
      });
    }
    expect(await topicsOf(alice)).toMatchObject([{ topic_name: 't', visibility_policy: 1 }]);
    for (const where of [{ stream_id }, { stream: 'news' }]) {
      expect(await alice.patch(path, { ...where, topic: 'T', op: 'remove' })).toMatchObject({
        result: 'success',
      });
    }
    expect(await topicsOf(alice)).toEqual([]);
    expect((await phone.hears()).map(({ visibility_policy }) => visibility_policy)).toEqual([1, 0]);
  });

  test('refuses both names of a channel, none, other ops and channels out of reach', async () => {
    const { alice, bob } = await realm();
    const stream_id = await createChannel(alice, 'secret', [alice], { invite_only: true });
    const ask = (by: Person, params: object) =>
      by.patch('/users/me/subscriptions/muted_topics', { topic: 't', op: 'add', ...params });
    expect(await ask(alice, { stream_id, stream: 'secret' })).toMatchObject({
      parameters: 'stream_id, stream',
    });
    expect(await ask(alice, {})).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'stream_id' });
    expect(await ask(alice, { stream_id, op: 'toggle' })).toMatchObject({
      code: 'BAD_REQUEST',
      msg: "'op' must be 'add' or 'remove'.",
    });
    expect(await ask(bob, { stream_id })).toMatchObject({ msg: 'This channel does not exist.' });
    expect(await ask(bob, { stream: 'secret' })).toMatchObject({
      msg: "There is no channel called 'secret'.",
    });
    expect(await ask(bob, { stream_id, op: 'remove' })).toMatchObject({
      msg: 'You have not muted this topic.',
    });
  });

  test('is for channels that one is subscribed to', async () => {
    const { alice, bob } = await realm();
    const stream_id = await createChannel(alice, 'news');
    const ask = (op: string) =>
      bob.patch('/users/me/subscriptions/muted_topics', { stream_id, topic: 't', op });
    for (const op of ['add', 'remove']) {
      expect(await ask(op)).toEqual(refused('You are not subscribed to this channel.'));
    }
    expect(await topicsOf(bob)).toEqual([]);
    await succeed(bob.post('/users/me/subscriptions', { subscriptions: [{ name: 'news' }] }));
    expect(await ask('add')).toEqual(done);
  });

  test('takes the topic under its deprecated name', async () => {
    const { alice } = await realm();
    const stream_id = await createChannel(alice, 'news');
    const path = '/users/me/subscriptions/muted_topics';
    expect(await alice.patch(path, { stream_id, subject: 't', op: 'add' })).toEqual(done);
    expect(await topicsOf(alice)).toMatchObject([{ topic_name: 't', visibility_policy: 1 }]);
  });
});
