import { describe, expect, test } from 'vitest';

import {
  type Json,
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
import { see } from '../newsroom.ts';
import { all, topicWithMessages, move, quiet, textsIn } from './topic-with-messages.ts';

describe('how visible a topic is', () => {
  const policyOf = async (who: Person): Promise<Record<string, number>> => {
    const { user_topics } = await who.post('/register', {
      fetch_event_types: ['user_topic'],
      client_capabilities: newest,
    });
    return Object.fromEntries(user_topics.map((one: Json) => [one.topic_name, one.visibility_policy]));
  };

  test('follows a whole topic, told as the old one’s end and the new one’s beginning', async () => {
    const { alice, bob, news, ids } = await topicWithMessages();
    await bob.post('/user_topics', { stream_id: news, topic: 'lunch', visibility_policy: 1 });
    const phone = await bob.listen();
    await move(alice, ids[0], { topic: 'dinner', ...all, ...quiet });
    expect(await phone.hears()).toMatchObject([
      { type: 'user_topic', topic_name: 'lunch', visibility_policy: 0 },
      { type: 'muted_topics', muted_topics: [['news', 'dinner', expect.any(Number)]] },
      { type: 'user_topic', topic_name: 'dinner', visibility_policy: 1 },
      { type: 'update_message' },
    ]);
    expect(await policyOf(bob)).toEqual({ dinner: 1 });
  });

  test('is the more visible of the two where topics become one', async () => {
    const { alice, bob, carol, guest, news, ids } = await topicWithMessages();
    await say(alice, 'news', 'dinner');
    const set = (who: Person, topic: string, visibility_policy: number) =>
      who.post('/user_topics', { stream_id: news, topic, visibility_policy });
    await set(bob, 'lunch', 1);
    await set(bob, 'dinner', 3);
    await set(carol, 'lunch', 2);
    await set(carol, 'dinner', 1);
    await set(guest, 'dinner', 1);
    await move(alice, ids[0], { topic: 'dinner', ...all, ...quiet });
    expect(await Promise.all([bob, carol, guest].map(policyOf))).toEqual([{ dinner: 3 }, { dinner: 2 }, {}]);
  });

  test('stays with a topic that only a part leaves', async () => {
    const { alice, bob, news, ids } = await topicWithMessages();
    await bob.post('/user_topics', { stream_id: news, topic: 'lunch', visibility_policy: 3 });
    await move(alice, ids[1], { topic: 'dinner', propagate_mode: 'change_later', ...quiet });
    expect(await policyOf(bob)).toEqual({ lunch: 3 });
  });
});

describe('resolving a topic', () => {
  const resolve = (by: Person, id: number | undefined, topic = '✔ lunch') => move(by, id, { topic, ...all });

  test('puts a check mark before its name and says who did it; that is no move', async () => {
    const { alice, bob, ids } = await topicWithMessages();
    const phone = await bob.listen();
    expect(await resolve(alice, ids[0])).toMatchObject(done);
    const heard = await phone.hears();
    expect(heard).toMatchObject([
      { type: 'update_message', orig_subject: 'lunch', subject: '✔ lunch', message_ids: ids },
      {
        type: 'message',
        message: { subject: '✔ lunch', sender_full_name: 'Notification Bot' },
        flags: ['read'],
      },
    ]);
    expect(heard[1]?.message.content).toContain('has marked this topic as resolved.');
    expect(await see(bob, ids[0] ?? 0)).not.toHaveProperty('last_moved_timestamp');
    expect((await see(bob, ids[0] ?? 0)).edit_history).toHaveLength(1);
  });

  test('is taken back into what is left of it, which may be spelled otherwise', async () => {
    const { alice, bob, news, ids } = await topicWithMessages();
    await move(alice, ids[0], { topic: '✔ lunch', ...quiet });
    await move(alice, ids[1], { topic: 'LUNCH', ...all, ...quiet });
    const phone = await bob.listen({ event_types: ['update_message'] });
    expect(await resolve(alice, ids[0], 'lunch')).toMatchObject(done);
    const [event] = await phone.hears();
    expect(event).toMatchObject({ orig_subject: '✔ lunch', subject: 'LUNCH', stream_id: news });
    // By these names it is a move.
    expect(await see(bob, ids[0] ?? 0)).toMatchObject({ last_moved_timestamp: event?.edit_timestamp });
  });

  test('is what a move to another spelling of what is left of it comes to', async () => {
    const { alice, bob, ids } = await topicWithMessages();
    await move(alice, ids[0], { topic: '✔ lunch', ...quiet });
    const phone = await bob.listen({ event_types: ['update_message'] });
    expect(await move(alice, ids[0], { topic: 'LUNCH', ...quiet })).toMatchObject(done);
    const [event] = await phone.hears();
    expect(event).toMatchObject({ orig_subject: '✔ lunch', subject: 'lunch' });
    // By these names it is no move.
    expect(await see(bob, ids[0] ?? 0)).not.toHaveProperty('last_moved_timestamp');
  });

  test('is taken back within a minute as if nothing had been said, and later with another notice', async () => {
    const { alice, bob, ids } = await topicWithMessages();
    await resolve(alice, ids[0]);
    const phone = await bob.listen({
      client_capabilities: newest,
    });
    await resolve(alice, ids[0], 'lunch');
    expect(await phone.hears()).toMatchObject([
      { type: 'update_message', subject: 'lunch' },
      { type: 'delete_message', topic: 'lunch', message_ids: [expect.any(Number)] },
    ]);
    expect(await textsIn(bob, 'lunch')).toEqual(['hello', 'hello', 'hello']);

    await resolve(alice, ids[0]);
    const notice = (await bob.get('/messages', { anchor: 'newest', num_before: 1 })).messages[0];
    await makeOlder(alice, notice.id, 61);
    await resolve(alice, ids[0], 'lunch');
    expect((await textsIn(bob, 'lunch')).slice(-2)).toEqual([
      expect.stringContaining('as resolved.'),
      expect.stringContaining('as unresolved.'),
    ]);
  });

  test('is unread for its followers, and for those who want to read it', async () => {
    const { alice, bob, carol, guest, news, ids } = await topicWithMessages();
    await subscribe(alice, 'news', [carol]);
    const wants = (who: Person, policy: string) =>
      succeed(who.patch('/settings', { resolved_topic_notice_auto_read_policy: policy }));
    for (const who of [bob, carol, alice]) {
      await who.post('/user_topics', { stream_id: news, topic: 'lunch', visibility_policy: 3 });
    }
    await wants(carol, 'always');
    await wants(guest, 'never');
    const ears = await Promise.all(
      [alice, bob, carol, guest].map((one) => one.listen({ event_types: ['message'] })),
    );
    await resolve(alice, ids[0]);
    expect(await Promise.all(ears.map(async (one) => (await one.hears())[0]?.flags))).toEqual([
      ['read'],
      [],
      ['read'],
      [],
    ]);
    const unread = async (who: Person) =>
      (await who.get('/messages', { anchor: 'newest', num_before: 1 })).messages[0].flags;
    expect(await Promise.all([alice, bob, carol, guest].map(unread))).toEqual([['read'], [], ['read'], []]);
  });

  test('has no time limit, and a permission of its own', async () => {
    const { alice, guest, people, news, ids } = await topicWithMessages();
    for (const id of ids) await makeOlder(alice, id, 700_000);
    expect(await resolve(guest, ids[0])).toMatchObject(done);
    await permit(people, 'can_resolve_topics_group', 'role:members');
    await permit(people, 'can_move_messages_between_topics_group', 'role:nobody');
    expect(await resolve(guest, ids[0], 'lunch')).toMatchObject(
      refused('You do not have permission to resolve topics in this channel.'),
    );
    expect(await resolve(alice, ids[0], 'lunch')).toMatchObject(done);
    await permit(people, 'can_resolve_topics_group', 'role:everyone', news);
    expect(await resolve(guest, ids[0])).toMatchObject(done);
    // A name that is only like the resolved one is another name.
    expect(await resolve(alice, ids[0], '✔ brunch')).toMatchObject(
      refused('You do not have permission to edit this message.'),
    );
  });
});

describe('notices of a move', () => {
  test('go to the new topic unless told otherwise, and to the old one if told to', async () => {
    const { alice, bob, ids } = await topicWithMessages();
    const by = `@_**Alice|${alice.id}**`;
    await move(alice, ids[0], { topic: 'a' });
    expect((await textsIn(bob, 'a')).at(-1)).toBe(
      `[A message](#narrow/channel/${(await see(bob, ids[0] ?? 0)).stream_id}-news/topic/a/near/${ids[0]}) was moved here from #**news>lunch** by ${by}.`,
    );
    await move(alice, ids[1], {
      topic: 'b',
      propagate_mode: 'change_later',
      send_notification_to_old_thread: true,
    });
    expect(await textsIn(bob, 'b')).toEqual([
      'hello',
      'hello',
      `This topic was moved here from #**news>lunch** by ${by}.`,
    ]);
    expect(await textsIn(bob, 'lunch')).toEqual([`This topic was moved to #**news>b** by ${by}.`]);
    await move(alice, ids[1], {
      topic: 'a',
      propagate_mode: 'change_all',
      send_notification_to_old_thread: true,
    });
    expect((await textsIn(bob, 'a')).at(-1)).toBe(`3 messages were moved here from #**news>b** by ${by}.`);
    await move(alice, ids[2], { topic: 'c', ...quiet, send_notification_to_old_thread: true });
    expect((await textsIn(bob, 'a')).at(-1)).toBe(
      `A message was moved from this topic to #**news>c** by ${by}.`,
    );
    expect(await textsIn(bob, 'c')).toEqual(['hello']);
  });

  test('come after the move, the old topic’s first, and the mover has read them', async () => {
    const { alice, ids } = await topicWithMessages();
    const food = await emptyChannel(alice, 'food');
    const phone = await alice.listen({ event_types: ['update_message', 'message'] });
    await move(alice, ids[0], { stream_id: food, ...all, send_notification_to_old_thread: true });
    expect(await phone.hears()).toMatchObject([
      { type: 'update_message' },
      { type: 'message', message: { display_recipient: 'news', subject: 'lunch' }, flags: ['read'] },
      { type: 'message', message: { display_recipient: 'food', subject: 'lunch' }, flags: ['read'] },
    ]);
  });
});
