import { describe, expect, test } from 'vitest';

import {
  type Person,
  done,
  emptyChannel,
  makeOlder,
  newest,
  permit,
  refused,
  say,
  subscribe,
  succeed,
} from '../../../support/index.ts';
import { idsIn, newsroom, see } from '../newsroom.ts';
import { all, kinds, topicWithMessages, move, quiet } from './topic-with-messages.ts';

describe('moving to another channel', () => {
  test('leaves each message the spelling of its topic', async () => {
    const { alice, bob, ids } = await topicWithMessages();
    const food = await emptyChannel(alice, 'food', [alice, bob]);
    const spellings = async () =>
      (await Promise.all(ids.map((id) => see(bob, id)))).map(({ subject }) => subject);
    await move(alice, ids[1], { topic: 'LUNCH', ...quiet });
    const phone = await bob.listen();
    expect(await move(alice, ids[1], { stream_id: food, ...all, ...quiet })).toMatchObject(done);

    expect(await spellings()).toEqual(['lunch', 'LUNCH', 'lunch']);
    const event = (await phone.hears()).find(({ type }) => type === 'update_message');
    expect(event).toMatchObject({ message_ids: ids, orig_subject: 'LUNCH', new_stream_id: food });
    expect(event).not.toHaveProperty('subject');
  });

  test('takes messages to where others see them, and tells both channels', async () => {
    const { alice, bob, carol, news, ids } = await topicWithMessages();
    const food = await emptyChannel(carol, 'food', [carol, alice]);
    const ears = await Promise.all([bob, carol].map((one) => one.listen()));
    expect(await move(alice, ids[0], { stream_id: food, ...all, ...quiet })).toMatchObject(done);
    const event = {
      type: 'update_message',
      stream_id: news,
      new_stream_id: food,
      orig_subject: 'lunch',
      propagate_mode: 'change_all',
      message_ids: ids,
    };
    const first = (stream_id: number, value: number | null) => ({
      type: 'stream',
      op: 'update',
      property: 'first_message_id',
      stream_id,
      value,
    });
    const heard = await Promise.all(ears.map((one) => one.hears()));
    expect(heard[0]).toMatchObject([first(news, null), first(food, ids[0] ?? 0), { ...event, flags: [] }]);
    expect(heard[1]).toMatchObject([
      first(news, null),
      first(food, ids[0] ?? 0),
      { ...event, flags: ['read'] },
    ]);
    expect(heard[0]?.at(-1)).not.toHaveProperty('subject');
    expect(await idsIn(carol, food, 'lunch')).toEqual(ids);
    expect(await see(carol, ids[0] ?? 0)).toMatchObject({
      stream_id: food,
      display_recipient: 'food',
      edit_history: [{ prev_stream: news, stream: food }],
      flags: ['read', 'historical'],
    });
    const [{ recipient_id }, own] = [
      await see(bob, ids[0] ?? 0),
      await see(alice, await say(alice, 'food', 'x')),
    ];
    expect(recipient_id).toBe(own.recipient_id);
  });

  test('into a private channel withdraws them from those who are not in it, from the place they know', async () => {
    const { alice, bob, guest, admin, news, ids } = await topicWithMessages();
    const secret = await emptyChannel(alice, 'secret', [alice, bob], { invite_only: true });
    await guest.post('/user_topics', { stream_id: news, topic: 'lunch', visibility_policy: 3 });
    const listen = (one: Person) =>
      one.listen({
        event_types: ['delete_message', 'update_message', 'user_topic'],
        client_capabilities: newest,
      });
    const ears = await Promise.all([bob, guest, admin].map(listen));
    await move(alice, ids[0], { stream_id: secret, topic: 'dinner', ...all, ...quiet });
    const heard = await Promise.all(ears.map((one) => one.hears()));
    expect(heard[0]).toMatchObject([{ type: 'update_message', new_stream_id: secret, subject: 'dinner' }]);
    expect(heard[1]).toEqual([
      {
        id: expect.any(Number),
        type: 'delete_message',
        message_ids: ids,
        message_type: 'stream',
        stream_id: news,
        topic: 'lunch',
      },
      {
        id: expect.any(Number),
        type: 'user_topic',
        stream_id: news,
        topic_name: 'lunch',
        visibility_policy: 0,
        last_updated: expect.any(Number),
      },
    ]);
    expect(heard[2]).toEqual([]);
    expect(await see(guest, ids[0] ?? 0)).toBeUndefined();
    expect((await guest.get('/messages', { anchor: 'newest', num_before: 10 })).messages).toEqual([]);
    expect((await see(bob, ids[1] ?? 0)).flags).not.toContain('historical');
  });

  test('moving on to a public channel withdraws messages from guests alone, and returns them to members', async () => {
    const { alice, bob, guest, carol, ids } = await topicWithMessages();
    const secret = await emptyChannel(alice, 'secret', [alice], { invite_only: true });
    const food = await emptyChannel(carol, 'food', [carol, alice]);
    await move(alice, ids[0], { stream_id: secret, ...all, ...quiet });
    const ears = await Promise.all(
      [bob, carol, guest].map((one) => one.listen({ event_types: ['update_message', 'delete_message'] })),
    );
    await move(alice, ids[0], { stream_id: food, ...all, ...quiet });
    expect(await Promise.all(ears.map(async (one) => kinds(await one.hears())))).toEqual([
      ['update_message'],
      ['update_message'],
      [],
    ]);
    // Bob had received them, and has them again as he had them.
    expect(await see(bob, ids[0] ?? 0)).toMatchObject({ flags: [] });
    expect(await see(guest, ids[0] ?? 0)).toBeUndefined();
  });

  test('into a channel with protected history lets all who are in it have them, as read', async () => {
    const { alice, bob, carol, moderator, ids } = await topicWithMessages();
    const secret = await emptyChannel(moderator, 'secret', [alice, carol], {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const phone = await carol.listen({ event_types: ['update_message'] });
    await move(alice, ids[0], { stream_id: secret, ...all, ...quiet });
    expect(await phone.hears()).toMatchObject([{ flags: ['read'], message_ids: ids }]);
    expect(await see(carol, ids[0] ?? 0)).toMatchObject({ flags: ['read'] });
    // Whoever comes later does not.
    await subscribe(alice, 'secret', [moderator]);
    expect(await see(moderator, ids[0] ?? 0)).toBeUndefined();
    expect(await see(bob, ids[0] ?? 0)).toBeUndefined();
  });

  test('moving from a channel with protected history moves what the mover can see, and counts no more', async () => {
    const { alice, bob, carol, moderator } = await newsroom();
    const secret = await emptyChannel(moderator, 'secret', [alice, bob], {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const before = await say(alice, 'secret', 'lunch');
    await makeOlder(alice, before, 700_000);
    await subscribe(alice, 'secret', [carol]);
    const after = await say(alice, 'secret', 'lunch');
    expect(await move(carol, before, { topic: 'x' })).toMatchObject(
      refused('These messages do not exist, or you do not have access to them.'),
    );
    const ear = await alice.listen({ event_types: ['update_message'] });
    expect(await move(carol, after, { topic: 'dinner', ...all, ...quiet })).toMatchObject(done);
    expect(await ear.hears()).toMatchObject([{ message_ids: [after] }]);
    expect(await idsIn(alice, secret, 'lunch')).toEqual([before]);
  });

  test('is for those who may move out and may write where they move to', async () => {
    const { alice, bob, guest, carol, owner, people, news, ids } = await topicWithMessages();
    const [id = 0] = ids;
    const food = await emptyChannel(carol, 'food', [carol]);
    const secret = await emptyChannel(carol, 'secret', [carol], { invite_only: true });
    const to = (by: Person, stream_id: number) => move(by, id, { stream_id, ...quiet });
    expect(await to(guest, food)).toMatchObject(refused('You do not have permission to move this message.'));
    for (const target of [secret, 2_000_000_000]) {
      expect(await to(alice, target)).toMatchObject(refused('This channel does not exist.'));
    }
    await permit(people, 'can_send_message_group', 'role:administrators', food);
    expect(await to(alice, food)).toMatchObject(
      refused('You do not have permission to post in this channel.'),
    );
    await permit(people, 'can_move_messages_between_channels_group', 'role:nobody');
    expect(await to(owner, food)).toMatchObject(refused('You do not have permission to move this message.'));
    await permit(people, 'can_move_messages_out_of_channel_group', 'role:everyone', news);
    expect(await to(guest, food)).toMatchObject(refused('This channel does not exist.'));
    await permit(people, 'can_send_message_group', 'role:everyone', food);
    expect(await to(bob, food)).toMatchObject(done);
  });

  test('has a time limit of its own', async () => {
    const { alice, moderator, owner, ids } = await topicWithMessages();
    const food = await emptyChannel(alice, 'food', [alice, moderator]);
    await succeed(owner.patch('/realm', { move_messages_between_streams_limit_seconds: 60 }));
    for (const id of ids) await makeOlder(alice, id, 100);
    expect(await move(alice, ids[0], { stream_id: food, ...quiet })).toMatchObject({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: null,
      total_messages_in_topic: 3,
      total_messages_allowed_to_move: 0,
    });
    const fresh = await say(alice, 'news', 'lunch');
    expect(await move(alice, fresh, { stream_id: food, ...all, ...quiet })).toMatchObject({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: fresh,
      total_messages_in_topic: 4,
      total_messages_allowed_to_move: 1,
    });
    expect(await move(moderator, ids[0], { stream_id: food, ...all, ...quiet })).toMatchObject(done);
  });

  test('into an archived channel is refused', async () => {
    const { owner, alice, ids } = await topicWithMessages();
    const food = await emptyChannel(alice, 'food');
    await succeed(owner.delete(`/streams/${food}`));
    expect(await move(alice, ids[0], { stream_id: food })).toMatchObject(
      refused('This channel does not exist.'),
    );
  });
});
