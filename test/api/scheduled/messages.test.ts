import { describe, expect, test } from 'vitest';

import {
  type Person,
  createChannel,
  done,
  fillSchedule,
  inSeconds,
  outcomeOf,
  realm,
  refused,
  succeed,
} from '../../support/index.ts';

const later = inSeconds(3600);

const direct = (to: Person, more: object = {}) => ({
  type: 'direct',
  to: [to.id],
  content: 'hello',
  scheduled_delivery_timestamp: later,
  ...more,
});

const schedule = async (by: Person, message: object): Promise<number> =>
  (await succeed(by.post('/scheduled_messages', { ...message }))).scheduled_message_id;

const listOf = async (by: Person) => (await by.get('/scheduled_messages')).scheduled_messages;

describe('scheduled messages', () => {
  test('are kept for their author, who is told of each, in the order of their times', async () => {
    const { alice, bob } = await realm();
    const channel = await createChannel(alice, 'plans');
    const [phone, other] = [await alice.listen(), await bob.listen()];
    const second = await schedule(alice, {
      type: 'channel',
      to: channel,
      topic: ' tea ',
      content: '  *ready*\n',
      scheduled_delivery_timestamp: later + 60,
    });
    const first = await schedule(alice, direct(bob, { to: [bob.id, alice.id] }));
    const shown = [
      {
        scheduled_message_id: first,
        type: 'private',
        to: [bob.id],
        content: 'hello',
        rendered_content: '<p>hello</p>',
        scheduled_delivery_timestamp: later,
        failed: false,
      },
      {
        scheduled_message_id: second,
        type: 'stream',
        to: channel,
        topic: 'tea',
        content: '  *ready*',
        rendered_content: '<p><em>ready</em></p>',
        scheduled_delivery_timestamp: later + 60,
        failed: false,
      },
    ];
    expect(await phone.hears()).toMatchObject([
      { type: 'scheduled_messages', op: 'add', scheduled_messages: [shown[1]] },
      { type: 'scheduled_messages', op: 'add', scheduled_messages: [shown[0]] },
    ]);
    expect(await other.hears()).toEqual([]);
    expect(await alice.get('/scheduled_messages')).toEqual({ ...done, scheduled_messages: shown });
    const section = { fetch_event_types: ['scheduled_messages'] };
    expect((await alice.post('/register', section)).scheduled_messages).toEqual(shown);
    expect(await bob.get('/scheduled_messages')).toEqual({ ...done, scheduled_messages: [] });
  });

  test('take the types and recipients that clients send', async () => {
    const { alice, bob } = await realm();
    const channel = await createChannel(alice, 'plans');
    await schedule(alice, direct(bob, { type: 'private', to: bob.id }));
    await schedule(alice, direct(alice));
    await schedule(alice, direct(bob, { type: 'stream', to: [channel], topic: '' }));
    expect(await listOf(alice)).toMatchObject([
      { type: 'private', to: [bob.id] },
      { type: 'private', to: [alice.id] },
      { type: 'stream', to: channel, topic: 'general chat' },
    ]);
  });

  test('are refused like messages that are sent now', async () => {
    const { alice, bob, owner } = await realm();
    const hidden = await createChannel(owner, 'hidden', [owner], { invite_only: true });
    const plans = await createChannel(alice, 'plans');
    const phone = await alice.listen();
    const outcome = async (message: object) =>
      outcomeOf(await alice.post('/scheduled_messages', direct(bob, message)));
    const missing = await alice.post(
      '/scheduled_messages',
      direct(bob, { type: 'channel', to: 2_000_000_000, topic: 't' }),
    );
    expect(missing).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', stream_id: 2_000_000_000 });
    expect(await outcome({ type: 'channel', to: hidden, topic: 't' })).toMatch(
      'You do not have permission to post',
    );
    expect(await outcome({ type: 'channel', to: plans })).toBe('A message to a channel needs a topic.');
    expect(await outcome({ type: 'channel', to: [plans, hidden], topic: 't' })).toBe(
      'Name exactly one channel.',
    );
    expect(await outcome({ type: 'channel', to: '"plans"', topic: 't' })).toBe('to is not valid.');
    expect(await outcome({ to: [2_000_000_000] })).toBe('There is no user with the id 2000000000.');
    expect(await outcome({ to: [] })).toBe('to is too short.');
    expect(await outcome({ content: ' \n' })).toBe('The message is empty.');
    expect(await outcome({ scheduled_delivery_timestamp: inSeconds(-1) })).toBe(
      'Choose a time in the future.',
    );
    expect(await outcome({ scheduled_delivery_timestamp: 1e15 })).toBe(
      'scheduled_delivery_timestamp is too large.',
    );
    expect(await listOf(alice)).toEqual([]);
    expect(await phone.hears()).toEqual([]);
  });

  test('are changed in any part; what is not given stays', async () => {
    const { alice, bob, carol } = await realm();
    const plans = await createChannel(alice, 'plans');
    const id = await schedule(alice, direct(bob));
    const phone = await alice.listen();
    const change = (params: object) => alice.patch(`/scheduled_messages/${id}`, { ...params });
    expect(await change({ content: '*changed*' })).toEqual(done);
    expect(await change({ to: [carol.id] })).toEqual(done);
    expect(await change({ scheduled_delivery_timestamp: later + 9 })).toEqual(done);
    expect(await change({ type: 'channel', to: plans, topic: 'tea' })).toEqual(done);
    expect(await change({ topic: 'milk' })).toEqual(done);
    expect(await change({ type: 'stream', content: 'again' })).toEqual(done);
    expect(await change({ type: 'direct', to: [bob.id], topic: 'ignored' })).toEqual(done);
    const now = { scheduled_message_id: id, failed: false, scheduled_delivery_timestamp: later + 9 };
    const inPlans = { ...now, type: 'stream', to: plans };
    const html = '<p><em>changed</em></p>';
    const update = (scheduled_message: object) => ({
      type: 'scheduled_messages',
      op: 'update',
      scheduled_message,
    });
    expect(await phone.hears()).toMatchObject([
      update({ type: 'private', to: [bob.id], content: '*changed*', rendered_content: html }),
      update({ type: 'private', to: [carol.id], content: '*changed*', rendered_content: html }),
      update({ ...now, type: 'private', to: [carol.id] }),
      update({ ...inPlans, topic: 'tea', content: '*changed*', rendered_content: html }),
      update({ ...inPlans, topic: 'milk' }),
      update({ ...inPlans, topic: 'milk', content: 'again', rendered_content: '<p>again</p>' }),
      update({ ...now, type: 'private', to: [bob.id], content: 'again' }),
    ]);
    expect(await listOf(alice)).toMatchObject([{ ...now, type: 'private', to: [bob.id] }]);
    expect((await listOf(alice))[0]).not.toHaveProperty('topic');
  });

  test('are not changed to what could not be sent', async () => {
    const { alice, bob, owner } = await realm();
    const hidden = await createChannel(owner, 'hidden', [owner], { invite_only: true });
    const id = await schedule(alice, direct(bob));
    const phone = await alice.listen();
    const outcome = async (params: object) =>
      outcomeOf(await alice.patch(`/scheduled_messages/${id}`, { ...params }));
    expect(await outcome({})).toBe('There is nothing to change.');
    expect(await outcome({ type: 'channel' })).toBe("A new type needs new recipients: send 'to' as well.");
    expect(await outcome({ type: 'channel', to: hidden })).toBe(
      "A message to a channel needs a topic: send 'topic' as well.",
    );
    expect(await outcome({ type: 'channel', to: hidden, topic: 't' })).toMatch(
      'You do not have permission to post',
    );
    expect(await outcome({ type: 'channel', to: [hidden, 1], topic: 't' })).toBe('Name exactly one channel.');
    expect(
      await alice.patch(`/scheduled_messages/${id}`, { type: 'channel', to: 2_000_000_000, topic: 't' }),
    ).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', stream_id: 2_000_000_000 });
    expect(await outcome({ to: [2_000_000_000] })).toBe('There is no user with the id 2000000000.');
    expect(await outcome({ content: '' })).toBe('The message is empty.');
    expect(await outcome({ scheduled_delivery_timestamp: inSeconds(-1) })).toBe(
      'Choose a time in the future.',
    );
    expect(await phone.hears()).toEqual([]);
    expect(await listOf(alice)).toMatchObject([{ to: [bob.id], content: 'hello' }]);
  });

  test('are changed and deleted by their author alone', async () => {
    const { alice, bob, bot } = await realm();
    const id = await schedule(alice, direct(bob));
    const missing = refused('This scheduled message does not exist.');
    for (const by of [bob, bot]) {
      const replies = [
        await by.ask('PATCH', `/scheduled_messages/${id}`, { content: 'x' }),
        await by.ask('DELETE', `/scheduled_messages/${id}`),
      ];
      for (const { status, body } of replies) expect([status, body]).toEqual([404, missing]);
    }
    const phone = await alice.listen();
    expect(await alice.delete(`/scheduled_messages/${id}`)).toEqual(done);
    expect(await phone.hears()).toMatchObject([
      { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
    ]);
    expect((await alice.ask('DELETE', `/scheduled_messages/${id}`)).status).toBe(404);
    expect(await listOf(alice)).toEqual([]);
  });

  test('are bounded in number and in bytes', async () => {
    const { alice, bob } = await realm();
    await fillSchedule(alice, 'scheduled_messages', { count: 999 });
    const id = await schedule(alice, direct(bob));
    const tooMany = 'You can have at most 1000 scheduled messages.';
    expect(outcomeOf(await alice.post('/scheduled_messages', direct(bob)))).toBe(tooMany);
    expect(await alice.patch(`/scheduled_messages/${id}`, { content: 'x' })).toEqual(done);
    await fillSchedule(bob, 'scheduled_messages', { count: 1, bytes: 4 * 1024 * 1024 - 60_006 });
    const long = direct(alice, { content: '字'.repeat(10_000) });
    const tooLong = 'Your scheduled messages can have at most 4194304 bytes in total.';
    // Its HTML has seven bytes more.
    expect(outcomeOf(await bob.post('/scheduled_messages', long))).toBe(tooLong);
    await schedule(bob, { ...long, content: '字'.repeat(9999) });
  });
});
