import { describe, expect, test } from 'vitest';

import {
  type Person,
  createChannel,
  deliverDue,
  done,
  inSeconds,
  leave,
  linkTo,
  outcomeOf,
  permit,
  realm,
  refused,
  runOnDemand,
  runRecurring,
  say,
  statusFor,
  succeed,
  upload,
} from '../../support/index.ts';

const schedule = async (by: Person, message: object): Promise<number> =>
  (
    await succeed(
      by.post('/scheduled_messages', {
        content: 'hello',
        scheduled_delivery_timestamp: inSeconds(3600),
        ...message,
      }),
    )
  ).scheduled_message_id;

const toPeople = (...people: Person[]) => ({ type: 'direct', to: people.map(({ id }) => id) });
const toChannel = (to: number, topic = 't') => ({ type: 'channel', to, topic });

const contents = (events: { type: string; message?: { content: string } }[]) =>
  events.flatMap(({ message }) => message?.content ?? []);

describe('a scheduled message', () => {
  test('is sent when it is due, and then its schedule ends', async () => {
    const { alice, bob } = await realm();
    const id = await schedule(alice, { ...toPeople(bob), read_by_sender: true });
    const [phone, other] = [await alice.listen(), await bob.listen()];
    expect(await runOnDemand('deliver-due', alice.id)).toEqual({});
    expect(await phone.hears()).toEqual([]);
    expect(await deliverDue(alice)).toEqual({ sent: 1, failed: 0 });
    expect(await phone.hears()).toMatchObject([
      { type: 'message', message: { content: 'hello', sender_id: alice.id }, flags: ['read'] },
      { type: 'scheduled_messages', op: 'remove', scheduled_message_id: id },
    ]);
    expect(await other.hears()).toMatchObject([{ type: 'message', message: { content: 'hello' } }]);
    expect(await deliverDue(alice)).toEqual({});
    expect(await phone.hears()).toEqual([]);
    expect((await alice.get('/scheduled_messages')).scheduled_messages).toEqual([]);
  });

  test('a scheduled message that was sent is neither changed nor deleted any more, and forgotten after a day', async () => {
    const { alice, bob } = await realm();
    const id = await schedule(alice, toPeople(bob));
    await deliverDue(alice);
    const change = () => alice.ask('PATCH', `/scheduled_messages/${id}`, { content: 'x' });
    expect(await change()).toMatchObject({
      status: 400,
      body: refused('This message has already been sent.'),
    });
    expect((await alice.ask('DELETE', `/scheduled_messages/${id}`)).status).toBe(404);
    const inTwoDays = { nowMs: () => Date.now() + 2 * 86_400_000 };
    await runRecurring('sweep-due', { clock: inTwoDays });
    expect((await change()).status).toBe(404);
  });

  test('is sent with all that a message brings along', async () => {
    const people = await realm();
    const { alice, bob, carol, guest } = people;
    const plans = await createChannel(alice, 'plans', [alice, bob, guest]);
    await succeed(bob.post('/users/me/alert_words', { alert_words: ['tea'] }));
    await succeed(alice.patch('/settings', { automatically_follow_topics_policy: 2 }));
    await schedule(alice, { ...toChannel(plans, 'new'), content: 'tea for @**Carol**' });
    await schedule(alice, { ...toChannel(plans, 'new'), content: 'more' });
    const phones = [await alice.listen(), await bob.listen(), await carol.listen()];
    await deliverDue(alice);
    const [own, inside, outside] = await Promise.all(phones.map((phone) => phone.hears()));
    // The topic is followed since the first of the two.
    const types = own?.map(({ type }) => type);
    expect(types?.filter((type) => type === 'user_topic')).toHaveLength(1);
    expect(types?.slice(-2)).toEqual(['message', 'scheduled_messages']);
    expect(inside?.find(({ type }) => type === 'message')).toMatchObject({ flags: ['has_alert_word'] });
    expect(outside?.find(({ type }) => type === 'message')).toMatchObject({ flags: ['mentioned'] });
  });

  test('is one of many that are sent in the order of their times, to new topics and people too', async () => {
    const { alice, bob, carol } = await realm();
    const plans = await createChannel(alice, 'plans', [alice, bob]);
    for (let count = 9; count > 0; count -= 1) {
      const places = [toChannel(plans, 'one'), toChannel(plans, 'two'), toPeople(bob), toPeople(bob, carol)];
      await schedule(alice, {
        ...places[count % 4],
        content: `number ${count}`,
        scheduled_delivery_timestamp: inSeconds(3000) + Math.floor(count / 2) * 10,
      });
    }
    const phone = await alice.listen({ event_types: ['message'] });
    expect(await deliverDue(alice)).toMatchObject({ sent: 9 });
    // Of the same time, the one that was scheduled first comes first.
    expect(contents(await phone.hears())).toEqual(
      [1, 3, 2, 5, 4, 7, 6, 9, 8].map((number) => `number ${number}`),
    );
  });

  test('comes as unread to its author as for any program in which nobody sees it, and as a note', async () => {
    const { alice, bob } = await realm();
    const flagsOf = async (message: object, client: string) => {
      const phone = await alice.listen({ event_types: ['message'] });
      await schedule(alice, { ...message, client });
      await deliverDue(alice);
      return (await phone.hears())[0]?.flags;
    };
    expect(await flagsOf(toPeople(bob), 'website')).toEqual(['read']);
    expect(await flagsOf(toPeople(bob), 'curl')).toEqual([]);
    expect(await flagsOf(toPeople(alice), 'website')).toEqual([]);
    expect(await flagsOf({ ...toPeople(alice), read_by_sender: true }, 'curl')).toEqual(['read']);
  });

  test('keeps its uploads until it is sent, and then the message has them', async () => {
    const { alice, bob } = await realm();
    const url = await upload(alice);
    await schedule(alice, { ...toPeople(bob), content: linkTo(url) });
    const inTwoMonths = { clock: { nowMs: () => Date.now() + 60 * 86_400_000 } };
    expect(await runRecurring('expire-uploads', inTwoMonths)).toEqual({ expired: 0 });
    await deliverDue(alice);
    expect(await statusFor(bob, url)).toBe(200);
  });
});

describe('a scheduled message that may not be sent', () => {
  test('stays as failed; its author is told why, gives it a new time, and it is sent', async () => {
    const people = await realm();
    const { alice, bob, owner } = people;
    const plans = await createChannel(owner, 'plans', [owner, alice, bob]);
    const id = await schedule(alice, toChannel(plans));
    await permit(people, 'can_send_message_group', 'role:administrators', plans);
    const phone = await alice.listen();
    expect(await deliverDue(alice)).toEqual({ sent: 0, failed: 1 });
    const heard = await phone.hears();
    expect(heard).toMatchObject([
      {
        type: 'scheduled_messages',
        op: 'update',
        scheduled_message: { scheduled_message_id: id, failed: true },
      },
      { type: 'message', message: { type: 'private', sender_full_name: 'Notification Bot' } },
    ]);
    expect(heard[1]?.message.content).toContain('You do not have permission to post in this channel.');
    expect(heard[1]?.flags).not.toContain('read');
    expect(await deliverDue(alice)).toEqual({});
    expect((await alice.get('/scheduled_messages')).scheduled_messages).toMatchObject([{ failed: true }]);

    const change = (params: object) => alice.patch(`/scheduled_messages/${id}`, { ...params });
    await permit(people, 'can_send_message_group', 'role:everyone', plans);
    expect(outcomeOf(await change({ content: 'again' }))).toBe('Choose a time in the future.');
    expect(await change({ content: 'again', scheduled_delivery_timestamp: inSeconds(60) })).toEqual(done);
    expect((await alice.get('/scheduled_messages')).scheduled_messages).toMatchObject([{ failed: false }]);
    expect(await deliverDue(alice)).toEqual({ sent: 1, failed: 0 });
  });

  test('is refused by the rules of the moment, whatever is remembered of the last message', async () => {
    const people = await realm();
    const { alice, owner } = people;
    const plans = await createChannel(owner, 'plans', [owner, alice]);
    for (let count = 0; count < 2; count += 1) {
      await schedule(alice, toChannel(plans));
      expect(await deliverDue(alice)).toEqual({ sent: 1, failed: 0 });
    }
    await schedule(alice, toChannel(plans));
    await permit(people, 'can_send_message_group', 'role:administrators', plans);
    expect(await deliverDue(alice)).toEqual({ sent: 0, failed: 1 });
    await permit(people, 'can_send_message_group', 'role:everyone', plans);
    await schedule(alice, toChannel(plans));
    expect(await deliverDue(alice)).toEqual({ sent: 1, failed: 0 });
  });

  test('keeps none of the others back', async () => {
    const { alice, bob, carol, owner } = await realm();
    const plans = await createChannel(owner, 'plans', [owner, alice]);
    const left = await createChannel(owner, 'left', [owner, alice], { invite_only: true });
    for (const to of [toPeople(bob), toChannel(plans), toPeople(carol), toChannel(left), toPeople(bob)]) {
      await schedule(alice, to);
    }
    await succeed(owner.delete(`/streams/${plans}`));
    await leave(alice, ['left']);
    await succeed(owner.delete(`/users/${carol.id}`));
    expect(await deliverDue(alice)).toEqual({ sent: 2, failed: 3 });
    expect((await alice.get('/scheduled_messages')).scheduled_messages).toMatchObject([
      { to: plans, failed: true },
      { to: [carol.id], failed: true },
      { to: left, failed: true },
    ]);
  });

  test('a message that may not be sent because of what it mentions leaves nothing behind', async () => {
    const people = await realm();
    const { alice, owner, join } = people;
    const crowd = await Promise.all(Array.from({ length: 16 }, (_, n) => join({ name: `Crowd ${n}` })));
    const plans = await createChannel(owner, 'plans', [owner, alice]);
    await schedule(alice, { ...toChannel(plans, 'new'), content: '@**all**' });
    await succeed(
      owner.post('/users/me/subscriptions', {
        subscriptions: [{ name: 'plans' }],
        principals: crowd.map(({ id }) => id),
      }),
    );
    await say(owner, plans, 'old');
    expect(await deliverDue(alice)).toEqual({ sent: 0, failed: 1 });
    const { topics } = await alice.get(`/users/me/${plans}/topics`);
    expect(topics.map(({ name }: { name: string }) => name)).not.toContain('new');
  });

  test('is that of an account that is not in use: nobody is written to', async () => {
    const { alice, bob, owner } = await realm();
    await schedule(alice, toPeople(bob));
    await succeed(owner.delete(`/users/${alice.id}`));
    const phone = await bob.listen();
    expect(await deliverDue(alice)).toEqual({ sent: 0, failed: 1 });
    expect(await phone.hears()).toEqual([]);
    await succeed(owner.post(`/users/${alice.id}/reactivate`));
    expect((await alice.get('/scheduled_messages')).scheduled_messages).toMatchObject([{ failed: true }]);
    expect((await alice.get('/messages', { anchor: 'newest', num_before: 9 })).messages).toEqual([]);
  });
});
