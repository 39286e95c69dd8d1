import { describe, expect, test } from 'vitest';

import { type Event, type Json, type Person, getWorld, realm } from '../../support/index.ts';
import { idsIn, makeOlder, permit, refused, say, see, setRealm, subscribe, success } from './place.ts';

const quiet = { send_notification_to_new_thread: false };
const all = { propagate_mode: 'change_all' };

async function newsroom() {
  const people = await realm();
  const { alice, bob, guest } = people;
  const news = await subscribe(alice, 'news', [alice, bob, guest]);
  return { ...people, people, news };
}

async function lunches() {
  const room = await newsroom();
  const ids: number[] = [];
  for (const by of [room.alice, room.bob, room.alice]) ids.push(await say(by, 'news', 'lunch'));
  return { ...room, ids };
}

const move = (by: Person, id: number | undefined, params: object) =>
  by.patch(`/messages/${id}`, { ...params });
const kinds = (events: Event[]) => events.map(({ type, op }) => (op === undefined ? type : `${type} ${op}`));
const textsIn = async (by: Person, topic: string, channel = 'news'): Promise<string[]> => {
  const narrow = [
    ['channel', channel],
    ['topic', topic],
  ];
  const params = { anchor: 'newest', num_before: 100, narrow, apply_markdown: false };
  return (await by.get('/messages', params)).messages.map(({ content }: Json) => content);
};

describe('moving to another topic', () => {
  test.each([
    ['change_one', [1]],
    ['change_later', [1, 2]],
    ['change_all', [0, 1, 2]],
  ] as const)('%s takes along what it says, in one event', async (propagate_mode, taken) => {
    const { alice, bob, news, ids } = await lunches();
    const moved = taken.map((index) => ids[index]);
    const phone = await bob.listen();
    expect(await move(alice, ids[1], { topic: 'dinner', propagate_mode, ...quiet })).toMatchObject(success);

    expect(await phone.hears()).toEqual([
      {
        id: expect.any(Number),
        type: 'update_message',
        user_id: alice.id,
        rendering_only: false,
        message_id: ids[1],
        message_ids: moved,
        edit_timestamp: expect.any(Number),
        stream_id: news,
        stream_name: 'news',
        orig_subject: 'lunch',
        subject: 'dinner',
        topic_links: [],
        propagate_mode,
        flags: [],
      },
    ]);
    expect(await idsIn(bob, news, 'dinner')).toEqual(moved);
    expect(await idsIn(bob, news, 'lunch')).toEqual(ids.filter((id) => !moved.includes(id)));
    expect(await see(bob, ids[1] ?? 0)).toMatchObject({
      subject: 'dinner',
      last_moved_timestamp: expect.any(Number),
      edit_history: [
        { user_id: alice.id, timestamp: expect.any(Number), prev_topic: 'lunch', topic: 'dinner' },
      ],
    });
  });

  test('renames a whole topic with one row, whatever its size, and leaves every message as it was', async () => {
    const { alice, ids } = await lunches();
    const { sql } = await getWorld();
    const rows = () =>
      sql`select id, ordinal, conversation_id, topic_id, xmin from messages where id = any(${ids}) order by id`;
    const before = await rows();
    await move(alice, ids[0], { topic: 'dinner', ...all, ...quiet });
    expect(await rows()).toEqual(before);
    expect(
      await sql`select message_ids::text as ids from message_moves where message_ids @> ${ids[0] ?? 0}::int`,
    ).toEqual([{ ids: `{[${ids[0]},${(ids.at(-1) ?? 0) + 1})}` }]);
  });

  test('joins the messages that are there, under the name that they have', async () => {
    const { alice, bob, news, ids } = await lunches();
    const there = await say(bob, 'news', 'Dinner');
    const phone = await bob.listen();
    await move(alice, ids[0], { topic: 'DINNER', ...all, ...quiet });
    expect(await phone.hears()).toMatchObject([{ subject: 'Dinner', message_ids: ids }]);
    expect(await idsIn(bob, news, 'dinner')).toEqual([...ids, there]);
    // What is said next in the old topic does not follow.
    const next = await say(bob, 'news', 'lunch');
    expect(await idsIn(bob, news, 'lunch')).toEqual([next]);
  });

  test('spells a topic otherwise for all of its messages', async () => {
    const { alice, bob, news, ids } = await lunches();
    const phone = await bob.listen();
    await move(alice, ids[1], { topic: 'LUNCH', ...quiet });
    expect(await phone.hears()).toMatchObject([
      { orig_subject: 'lunch', subject: 'LUNCH', message_ids: ids, propagate_mode: 'change_all' },
    ]);
    expect(await see(bob, ids[2] ?? 0)).toMatchObject({ subject: 'LUNCH' });
    expect(await idsIn(bob, news, 'lunch')).toEqual(ids);
  });

  test('moves back and forth, and into a topic that somebody only follows', async () => {
    const { alice, bob, news, ids } = await lunches();
    await bob.post('/user_topics', { stream_id: news, topic: 'supper', visibility_policy: 3 });
    for (const topic of ['dinner', 'lunch', 'supper', 'lunch']) {
      expect(await move(alice, ids[0], { topic, ...all, ...quiet })).toMatchObject(success);
      expect(await idsIn(bob, news, topic)).toEqual(ids);
    }
  });

  test('sends to the empty topic by any of its names, unless the channel wants topics', async () => {
    const { alice, bob, people, news, ids } = await lunches();
    const [old, modern] = [
      await bob.listen(),
      await bob.listen({ client_capabilities: { notification_settings_null: true, empty_topic_name: true } }),
    ];
    await move(alice, ids[0], { topic: 'general chat', ...all, ...quiet });
    expect(await old.hears()).toMatchObject([{ subject: 'general chat' }]);
    expect(await modern.hears()).toMatchObject([{ subject: '' }]);
    await move(alice, ids[0], { topic: 'x', ...all, ...quiet });
    expect(await old.hears()).toMatchObject([{ orig_subject: 'general chat' }]);
    await setRealm(people, { topics_policy: 'disable_empty_topic' });
    expect(await move(alice, ids[0], { topic: '', ...all })).toMatchObject({
      code: 'BAD_REQUEST',
      empty_topic_display_name: 'general chat',
    });
    const { sql } = await getWorld();
    await sql`update channels set topics_policy = 'empty_topic_only' where id = ${news}`;
    expect(await move(alice, ids[0], { topic: 'y', ...all })).toMatchObject({
      code: 'BAD_REQUEST',
      empty_topic_display_name: 'general chat',
    });
  });

  test('changes content and topic in one event', async () => {
    const { alice, bob, ids } = await lunches();
    const phone = await bob.listen();
    await move(alice, ids[0], { topic: 'dinner', content: 'soup', ...all, ...quiet });
    expect(await phone.hears()).toMatchObject([
      { message_id: ids[0], message_ids: ids, content: 'soup', orig_content: 'hello', subject: 'dinner' },
    ]);
    const { edit_history } = await see(bob, ids[0] ?? 0);
    expect(edit_history).toMatchObject([{ prev_content: 'hello', prev_topic: 'lunch', topic: 'dinner' }]);
  });

  test('is for those who may, and for a week, except for moderators', async () => {
    const { alice, moderator, guest, carol, people, ids } = await lunches();
    const [id = 0] = ids;
    const topic = () => ({ topic: `${Math.random()}`, ...quiet });
    expect(await move(guest, id, topic())).toMatchObject(success);
    expect(await move(carol, id, topic())).toMatchObject(success);
    await permit(people, 'can_move_messages_between_topics_group', 'role:members');
    expect(await move(guest, id, topic())).toMatchObject(
      refused("You don't have permission to edit this message"),
    );
    await makeOlder(id, 604_800 + 15);
    expect(await move(alice, id, topic())).toMatchObject(success);
    await makeOlder(id, 10);
    expect(await move(alice, id, topic())).toMatchObject(
      refused("The time limit for editing this message's topic has passed."),
    );
    expect(await move(moderator, id, topic())).toMatchObject(success);
    await setRealm(people, { move_messages_within_stream_limit_seconds: null });
    expect(await move(alice, id, topic())).toMatchObject(success);
  });

  test('says where a topic can be cut when parts of it are too old to move', async () => {
    const { bob, moderator, ids } = await lunches();
    for (const id of ids.slice(0, 2)) await makeOlder(id, 700_000);
    const wanted = { topic: 'dinner', ...all, ...quiet };
    expect(await move(bob, ids[2], wanted)).toEqual({
      result: 'error',
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      msg: expect.any(String),
      first_message_id_allowed_to_move: ids[2],
      total_messages_in_topic: 3,
      total_messages_allowed_to_move: 1,
    });
    expect(await move(bob, ids[2], { ...wanted, propagate_mode: 'change_later' })).toMatchObject(success);
    expect(await move(moderator, ids[0], wanted)).toMatchObject(success);
  });

  test('refuses what no topic can be called', async () => {
    const { alice, ids } = await lunches();
    expect(await move(alice, ids[0], { topic: 'a\u0007b' })).toMatchObject({ code: 'BAD_REQUEST' });
    for (const topic of ['✔', '✔ general chat']) {
      expect(await move(alice, ids[0], { topic, ...all })).toMatchObject(
        refused('General chat cannot be marked as resolved'),
      );
    }
  });
});

describe('moving to another channel', () => {
  test('takes messages to where others see them, and tells both channels', async () => {
    const { alice, bob, carol, news, ids } = await lunches();
    const food = await subscribe(carol, 'food', [carol, alice]);
    const ears = await Promise.all([bob, carol].map((one) => one.listen()));
    expect(await move(alice, ids[0], { stream_id: food, ...all, ...quiet })).toMatchObject(success);
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
    const { alice, bob, guest, admin, news, ids } = await lunches();
    const secret = await subscribe(alice, 'secret', [alice, bob], { invite_only: true });
    await guest.post('/user_topics', { stream_id: news, topic: 'lunch', visibility_policy: 3 });
    const listen = (one: Person) =>
      one.listen({
        event_types: ['delete_message', 'update_message', 'user_topic'],
        client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
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

  test('and on to a public one withdraws them from guests alone, and gives them back to members', async () => {
    const { alice, bob, guest, carol, ids } = await lunches();
    const secret = await subscribe(alice, 'secret', [alice], { invite_only: true });
    const food = await subscribe(carol, 'food', [carol, alice]);
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
    const { alice, bob, carol, moderator, ids } = await lunches();
    const secret = await subscribe(moderator, 'secret', [alice, carol], {
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

  test('from a channel with protected history takes what the mover can see, and counts no more', async () => {
    const { alice, bob, carol, moderator } = await newsroom();
    const secret = await subscribe(moderator, 'secret', [alice, bob], {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const before = await say(alice, 'secret', 'lunch');
    await makeOlder(before, 700_000);
    await subscribe(alice, 'secret', [carol]);
    const after = await say(alice, 'secret', 'lunch');
    expect(await move(carol, before, { topic: 'x' })).toMatchObject(refused('Invalid message(s)'));
    const ear = await alice.listen({ event_types: ['update_message'] });
    expect(await move(carol, after, { topic: 'dinner', ...all, ...quiet })).toMatchObject(success);
    expect(await ear.hears()).toMatchObject([{ message_ids: [after] }]);
    expect(await idsIn(alice, secret, 'lunch')).toEqual([before]);
  });

  test('is for those who may move out and may write where they move to', async () => {
    const { alice, bob, guest, carol, owner, people, news, ids } = await lunches();
    const [id = 0] = ids;
    const food = await subscribe(carol, 'food', [carol]);
    const secret = await subscribe(carol, 'secret', [carol], { invite_only: true });
    const to = (by: Person, stream_id: number) => move(by, id, { stream_id, ...quiet });
    expect(await to(guest, food)).toMatchObject(refused("You don't have permission to move this message"));
    for (const target of [secret, 2_000_000_000]) {
      expect(await to(alice, target)).toMatchObject(refused('Invalid channel ID'));
    }
    await permit(people, 'can_send_message_group', 'role:administrators', food);
    expect(await to(alice, food)).toMatchObject(
      refused('You do not have permission to post in this channel.'),
    );
    await permit(people, 'can_move_messages_between_channels_group', 'role:nobody');
    expect(await to(owner, food)).toMatchObject(refused("You don't have permission to move this message"));
    await permit(people, 'can_move_messages_out_of_channel_group', 'role:everyone', news);
    expect(await to(guest, food)).toMatchObject(refused('Invalid channel ID'));
    await permit(people, 'can_send_message_group', 'role:everyone', food);
    expect(await to(bob, food)).toMatchObject(success);
  });

  test('has a time limit of its own', async () => {
    const { alice, moderator, people, ids } = await lunches();
    const food = await subscribe(alice, 'food', [alice, moderator]);
    await setRealm(people, { move_messages_between_streams_limit_seconds: 60 });
    for (const id of ids) await makeOlder(id, 100);
    expect(await move(alice, ids[0], { stream_id: food, ...quiet })).toMatchObject(
      refused("The time limit for editing this message's channel has passed"),
    );
    const fresh = await say(alice, 'news', 'lunch');
    expect(await move(alice, fresh, { stream_id: food, ...all, ...quiet })).toMatchObject({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: fresh,
      total_messages_in_topic: 4,
      total_messages_allowed_to_move: 1,
    });
    expect(await move(moderator, ids[0], { stream_id: food, ...all, ...quiet })).toMatchObject(success);
  });

  test('into an archived channel is refused', async () => {
    const { alice, ids } = await lunches();
    const food = await subscribe(alice, 'food');
    const { sql } = await getWorld();
    await sql`update channels set is_archived = true where id = ${food}`;
    expect(await move(alice, ids[0], { stream_id: food })).toMatchObject(refused('Invalid channel ID'));
  });
});

describe('how visible a topic is', () => {
  const policyOf = async (who: Person): Promise<Record<string, number>> => {
    const { user_topics } = await who.post('/register', {
      fetch_event_types: ['user_topic'],
      client_capabilities: { notification_settings_null: true, empty_topic_name: true },
    });
    return Object.fromEntries(user_topics.map((one: Json) => [one.topic_name, one.visibility_policy]));
  };

  test('follows a whole topic, told as the old one’s end and the new one’s beginning', async () => {
    const { alice, bob, news, ids } = await lunches();
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
    const { alice, bob, carol, guest, news, ids } = await lunches();
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
    const { alice, bob, news, ids } = await lunches();
    await bob.post('/user_topics', { stream_id: news, topic: 'lunch', visibility_policy: 3 });
    await move(alice, ids[1], { topic: 'dinner', propagate_mode: 'change_later', ...quiet });
    expect(await policyOf(bob)).toEqual({ lunch: 3 });
  });
});

describe('resolving a topic', () => {
  const resolve = (by: Person, id: number | undefined, topic = '✔ lunch') => move(by, id, { topic, ...all });

  test('puts a check mark before its name and says who did it; that is no move', async () => {
    const { alice, bob, ids } = await lunches();
    const phone = await bob.listen();
    expect(await resolve(alice, ids[0])).toMatchObject(success);
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

  test('is taken back within a minute as if nothing had been said, and later with another notice', async () => {
    const { alice, bob, ids } = await lunches();
    await resolve(alice, ids[0]);
    const phone = await bob.listen({
      client_capabilities: { notification_settings_null: true, bulk_message_deletion: true },
    });
    await resolve(alice, ids[0], 'lunch');
    expect(await phone.hears()).toMatchObject([
      { type: 'update_message', subject: 'lunch' },
      { type: 'delete_message', topic: 'lunch', message_ids: [expect.any(Number)] },
    ]);
    expect(await textsIn(bob, 'lunch')).toEqual(['hello', 'hello', 'hello']);

    await resolve(alice, ids[0]);
    const notice = (await bob.get('/messages', { anchor: 'newest', num_before: 1 })).messages[0];
    await makeOlder(notice.id, 61);
    await resolve(alice, ids[0], 'lunch');
    expect((await textsIn(bob, 'lunch')).slice(-2)).toEqual([
      expect.stringContaining('as resolved.'),
      expect.stringContaining('as unresolved.'),
    ]);
  });

  test('is unread for its followers, and for those who want to read it', async () => {
    const { alice, bob, carol, guest, news, ids } = await lunches();
    await subscribe(alice, 'news', [carol]);
    const { sql } = await getWorld();
    const wants = (who: Person, policy: string) => sql`
      update users set settings = settings || ${sql.json({ resolved_topic_notice_auto_read_policy: policy })}
      where id = ${who.id}`;
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
    const { alice, guest, people, news, ids } = await lunches();
    for (const id of ids) await makeOlder(id, 700_000);
    expect(await resolve(guest, ids[0])).toMatchObject(success);
    await permit(people, 'can_resolve_topics_group', 'role:members');
    await permit(people, 'can_move_messages_between_topics_group', 'role:nobody');
    expect(await resolve(guest, ids[0], 'lunch')).toMatchObject(
      refused("You don't have permission to resolve topics in this channel."),
    );
    expect(await resolve(alice, ids[0], 'lunch')).toMatchObject(success);
    await permit(people, 'can_resolve_topics_group', 'role:everyone', news);
    expect(await resolve(guest, ids[0])).toMatchObject(success);
    // A name that is only like the resolved one is another name.
    expect(await resolve(alice, ids[0], '✔ brunch')).toMatchObject(
      refused("You don't have permission to edit this message"),
    );
  });
});

describe('notices of a move', () => {
  test('go to the new topic unless told otherwise, and to the old one if told to', async () => {
    const { alice, bob, ids } = await lunches();
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
    const { alice, ids } = await lunches();
    const food = await subscribe(alice, 'food');
    const phone = await alice.listen({ event_types: ['update_message', 'message'] });
    await move(alice, ids[0], { stream_id: food, ...all, send_notification_to_old_thread: true });
    expect(await phone.hears()).toMatchObject([
      { type: 'update_message' },
      { type: 'message', message: { display_recipient: 'news', subject: 'lunch' }, flags: ['read'] },
      { type: 'message', message: { display_recipient: 'food', subject: 'lunch' }, flags: ['read'] },
    ]);
  });
});
