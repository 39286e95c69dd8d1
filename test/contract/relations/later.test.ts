import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Params,
  type Person,
  createChannel,
  deliverDue,
  emptyChannel,
  inSeconds,
  leave,
  outcomeOf,
  realm,
  runOnDemand,
  say,
  succeed,
  tell,
} from '../../support/index.ts';
import { heardOf, messagesHeard, stateOf } from './heard.ts';

const due = inSeconds(3600);

async function schedule(by: Person, message: Params): Promise<number> {
  const params = { content: 'hello', scheduled_delivery_timestamp: due, ...message };
  return (await succeed(by.post('/scheduled_messages', params))).scheduled_message_id;
}

const listOf = async (by: Person): Promise<Json[]> =>
  (await by.get('/scheduled_messages')).scheduled_messages;

/** A message to a channel that its author had left when it was due. */
async function failed() {
  const { alice, bob } = await realm();
  const secret = await createChannel(alice, 'secret', [alice, bob], { invite_only: true });
  const id = await schedule(bob, { type: 'channel', to: secret, topic: 't' });
  await leave(bob, ['secret']);
  await deliverDue(bob);
  return { alice, bob, id };
}

describe('4.2 POST /scheduled_messages', () => {
  test('a message that is scheduled for a person is heard by its author alone until it is sent', async () => {
    const { alice, bob } = await realm();
    const [own, his] = [await alice.listen(), await bob.listen()];
    const id = await schedule(alice, { type: 'direct', to: [bob.id] });
    expect(await own.hears()).toMatchObject([
      { type: 'scheduled_messages', op: 'add', scheduled_messages: [{ scheduled_message_id: id }] },
    ]);
    expect(await his.hears()).toEqual([]);
    await deliverDue(alice);
    expect(await messagesHeard(his)).toMatchObject([{ content: 'hello' }]);
  });

  test('a scheduled message is sent at its time, and not a second before, though another one is due', async () => {
    const { alice, bob } = await realm();
    const earlier = { content: 'earlier', scheduled_delivery_timestamp: due - 100 };
    await schedule(alice, { type: 'direct', to: [bob.id], ...earlier });
    await schedule(alice, { type: 'direct', to: [bob.id] });
    const at = (seconds: number) =>
      runOnDemand('deliver-due', alice.id, { clock: { nowMs: () => seconds * 1000 } });
    const phone = await bob.listen();
    const told = async () => (await messagesHeard(phone)).map(({ content }) => content);
    await at(due - 1);
    expect(await told()).toEqual(['earlier']);
    await at(due);
    expect(await told()).toEqual(['hello']);
  });

  test('a time that has come already is refused, and one a moment later is not', async () => {
    const { alice, bob } = await realm();
    const at = async (scheduled_delivery_timestamp: number) =>
      outcomeOf(
        await alice.post('/scheduled_messages', {
          type: 'direct',
          to: [bob.id],
          content: 'x',
          scheduled_delivery_timestamp,
        }),
      );
    expect(await at(inSeconds(0))).not.toBe('ok');
    expect(await at(inSeconds(60))).toBe('ok');
  });

  test('a message that was sent has an id of its own, and leaves the schedule after it was heard', async () => {
    const { alice, bob } = await realm();
    const id = await schedule(alice, { type: 'direct', to: [bob.id] });
    const phone = await alice.listen();
    await deliverDue(alice);
    const [message, removal] = await phone.hears();
    expect(removal).toMatchObject({ type: 'scheduled_messages', op: 'remove', scheduled_message_id: id });
    expect(message).toMatchObject({ type: 'message', message: { content: 'hello' } });
    expect(await listOf(alice)).toEqual([]);
  });

  test('a topic is nothing to a direct message that is scheduled', async () => {
    const { alice, bob } = await realm();
    await schedule(alice, { type: 'direct', to: [bob.id], topic: 'lunch' });
    expect((await listOf(alice))[0]).not.toHaveProperty('topic');
  });

  test('a channel that does not exist is named by its id when a message to it is scheduled', async () => {
    const { alice } = await realm();
    const message = { type: 'channel', to: 2_000_000_000, topic: 't', content: 'x' };
    const params = { ...message, scheduled_delivery_timestamp: due };
    const reply = await alice.post('/scheduled_messages', params);
    expect(reply).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', stream_id: 2_000_000_000 });
  });

  test.each([true, false])('read_by_sender %s is kept until the message is sent', async (isRead) => {
    const { alice, bob } = await realm();
    await schedule(alice, { type: 'direct', to: [bob.id], read_by_sender: isRead, client: 'website' });
    const phone = await alice.listen({ event_types: ['message'] });
    await deliverDue(alice);
    expect((await phone.hears())[0]?.['flags'].includes('read')).toBe(isRead);
  });

  test('scheduled messages of one time are sent in the order in which they were scheduled', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen();
    for (const content of ['one', 'two', 'three'])
      await schedule(alice, { type: 'direct', to: [bob.id], content });
    await deliverDue(alice);
    expect((await messagesHeard(phone)).map(({ content }) => content)).toEqual(['one', 'two', 'three']);
  });

  test('a text that is scheduled is cut to the length of a message, and one of that length is kept', async () => {
    const { alice, bob } = await realm();
    const { max_message_length: max } = await stateOf(alice, 'realm');
    await schedule(alice, { type: 'direct', to: [bob.id], content: 'a'.repeat(max) });
    await schedule(alice, { type: 'direct', to: [bob.id], content: 'a'.repeat(max + 1) });
    const [exact, cut] = (await listOf(alice)).map(({ content }) => content);
    expect(exact).toBe('a'.repeat(max));
    expect([cut.length, cut === exact]).toEqual([max, false]);
  });
});

describe('4.3 PATCH /scheduled_messages/:scheduled_message_id', () => {
  test.each([
    ['to', { type: 'channel', topic: 't' }],
    ['topic', { type: 'channel', to: 0 }],
  ])('a direct message becomes one to a channel only with its %s', async (_, change) => {
    const { alice, bob } = await realm();
    const news = await emptyChannel(alice, 'news');
    const id = await schedule(alice, { type: 'direct', to: [bob.id] });
    const incomplete = 'to' in change ? { ...change, to: news } : change;
    expect(await alice.patch(`/scheduled_messages/${id}`, incomplete)).toMatchObject({
      code: 'BAD_REQUEST',
    });
    const complete = { type: 'channel', to: news, topic: 't' };
    expect(outcomeOf(await alice.patch(`/scheduled_messages/${id}`, complete))).toBe('ok');
    expect(await listOf(alice)).toMatchObject([{ type: 'stream', to: news, topic: 't' }]);
  });

  test('a message to a channel becomes a direct one without a topic, whatever topic is sent', async () => {
    const { alice, bob } = await realm();
    const news = await emptyChannel(alice, 'news');
    const id = await schedule(alice, { type: 'channel', to: news, topic: 't' });
    const change = { type: 'direct', to: [bob.id], topic: 'lunch' };
    await succeed(alice.patch(`/scheduled_messages/${id}`, change));
    expect((await listOf(alice))[0]).not.toHaveProperty('topic');
  });

  test('a new text leaves recipients, topic and time as they were', async () => {
    const { alice } = await realm();
    const news = await emptyChannel(alice, 'news');
    const id = await schedule(alice, { type: 'channel', to: news, topic: 't' });
    const [before] = await listOf(alice);
    await succeed(alice.patch(`/scheduled_messages/${id}`, { content: 'new' }));
    expect(await listOf(alice)).toEqual([{ ...before, content: 'new', rendered_content: '<p>new</p>' }]);
  });

  test('a message that could not be sent stays as failed, and its author is told', async () => {
    const { bob, id } = await failed();
    expect(await listOf(bob)).toMatchObject([{ scheduled_message_id: id, failed: true }]);
    const { messages } = await bob.get('/messages', {
      anchor: 'newest',
      num_before: 1,
      narrow: [['is', 'dm']],
    });
    expect(messages[0].content).toContain('was not sent');
  });

  test('a message that failed is changed only together with a new time, and is pending again then', async () => {
    const { alice, bob, id } = await failed();
    const change = { type: 'direct', to: [alice.id] };
    expect(outcomeOf(await bob.patch(`/scheduled_messages/${id}`, change))).not.toBe('ok');
    const again = { ...change, scheduled_delivery_timestamp: inSeconds(5000) };
    expect(outcomeOf(await bob.patch(`/scheduled_messages/${id}`, again))).toBe('ok');
    expect(await listOf(bob)).toMatchObject([{ failed: false }]);
  });

  test('a scheduled message of somebody else is as one that does not exist', async () => {
    const { alice, bob } = await realm();
    const id = await schedule(alice, { type: 'direct', to: [bob.id] });
    const change = (message: number) => bob.patch(`/scheduled_messages/${message}`, { content: 'mine' });
    const refusal = await change(id);
    expect(refusal).toMatchObject({ code: 'BAD_REQUEST' });
    expect(refusal).toEqual(await change(2_000_000_000));
    expect(await listOf(alice)).toMatchObject([{ content: 'hello' }]);
  });
});

describe('Events', () => {
  test('a reminder is heard by its owner alone, and comes as a direct message that leads to the message', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob], 'remember');
    const [own, hers] = [await bob.listen(), await alice.listen()];
    const params = { message_id: id, scheduled_delivery_timestamp: due, note: 'now' };
    const { reminder_id } = await succeed(bob.post('/reminders', params));
    expect(await heardOf(own, 'reminders')).toMatchObject([{ op: 'add', reminders: [{ reminder_id }] }]);
    await runOnDemand('deliver-due', bob.id, { clock: { nowMs: () => (due + 1) * 1000 } });
    const [message, removal] = (await own.hears()).map((event) => event);
    expect(message).toMatchObject({ type: 'message', message: { type: 'private' } });
    expect(message?.['message'].content).toContain('now');
    expect(removal).toMatchObject({ type: 'reminders', op: 'remove', reminder_id });
    expect(await hers.hears()).toEqual([]);
  });

  test('nobody is reminded of a message that they may not read', async () => {
    const { alice, bob } = await realm();
    const secret = await emptyChannel(alice, 'secret', [alice], { invite_only: true });
    const params = { message_id: await say(alice, secret), scheduled_delivery_timestamp: due };
    expect(outcomeOf(await bob.post('/reminders', params))).not.toBe('ok');
    expect((await bob.get('/reminders')).reminders).toEqual([]);
  });
});
