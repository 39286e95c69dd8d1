import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  channelId,
  emptyChannel,
  countFlags,
  countReadingWrites,
  fillConversationsOf,
  newest,
  readRangesOf,
  realm,
  say,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';

const flag = (by: Person, op: string, name: string, messages: number[]): Promise<Json> =>
  by.post('/messages/flags', { op, flag: name, messages });

const state = async (person: Person): Promise<Json> =>
  await person.post('/register', {
    fetch_event_types: [
      'message',
      'update_message_flags',
      'starred_messages',
      'recent_private_conversations',
    ],
    client_capabilities: newest,
  });

describe('unread_msgs', () => {
  test('lists what is unread by where it is, each list in order', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const [one, two, three] = [
      await say(bob, 'news', 'b'),
      await say(bob, 'news', 'a'),
      await say(bob, 'news', 'B'),
    ];
    const [single, group] = [await tell(bob, [alice]), await tell(carol, [alice, bob])];
    const note = await tell(alice, [alice]);
    const stream_id = await channelId(alice, 'news');
    expect((await state(alice)).unread_msgs).toEqual({
      count: 6,
      pms: [
        { other_user_id: alice.id, sender_id: alice.id, unread_message_ids: [note] },
        { other_user_id: bob.id, sender_id: bob.id, unread_message_ids: [single] },
      ],
      streams: [
        { stream_id, topic: 'a', unread_message_ids: [two] },
        { stream_id, topic: 'b', unread_message_ids: [one, three] },
      ],
      huddles: [
        {
          user_ids_string: [alice.id, bob.id, carol.id].sort((a, b) => a - b).join(','),
          unread_message_ids: [group],
        },
      ],
      mentions: [],
      old_unreads_missing: false,
    });
  });

  test('does not count what is muted, nor mentions of everyone there', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const stream_id = await channelId(alice, 'news');
    const say = async (content: string, topic: string): Promise<number> =>
      (await bob.post('/messages', { type: 'channel', to: 'news', topic, content })).id;
    const personal = await say('@**Alice**', 'quiet');
    await say('@**all**', 'quiet');
    const loud = await say('@**all**', 'loud');
    await alice.post('/user_topics', { stream_id, topic: 'quiet', visibility_policy: 1 });
    expect((await state(alice)).unread_msgs).toMatchObject({ count: 1, mentions: [personal, loud] });
  });

  test('knows nothing of what others have read', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob, carol]);
    const id = await say(alice, 'news');
    await flag(bob, 'add', 'read', [id]);
    expect((await state(bob)).unread_msgs.count).toBe(0);
    expect((await state(carol)).unread_msgs.count).toBe(1);
  });
});

describe('POST /messages/flags', () => {
  test('marks as read what was unread, and tells the user’s own clients exactly that', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const ids = [await say(alice, 'news'), await say(alice, 'news'), await tell(alice, [bob])];
    const [phone, stranger] = [await bob.listen(), await alice.listen()];
    expect(await flag(bob, 'add', 'read', ids.slice(0, 2))).toEqual({
      result: 'success',
      msg: '',
      messages: ids.slice(0, 2),
      ignored_because_not_subscribed_channels: [],
    });
    await flag(bob, 'add', 'read', [...ids, 2_000_000_000]);
    const event = { type: 'update_message_flags', op: 'add', operation: 'add', flag: 'read', all: false };
    expect(await phone.hears()).toEqual([
      { id: expect.any(Number), ...event, messages: ids.slice(0, 2) },
      { id: expect.any(Number), ...event, messages: ids.slice(2) },
    ]);
    expect(await stranger.hears()).toEqual([]);
  });

  test('writes one row per conversation, however many messages', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const ids: number[] = [];
    for (let number = 0; number < 40; number += 1) ids.push(await say(alice, 'news'));
    ids.push(await tell(alice, [bob]));
    await flag(bob, 'add', 'read', ids);
    expect(await readRangesOf(bob)).toEqual(['{[1,2)}', '{[1,41)}']);
    expect(await countFlags({ person: bob })).toBe(0);
  });

  test('makes unread again what was read, and says where it is', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const stream_id = await channelId(alice, 'news');
    const ids = [await say(alice, 'news', ''), await tell(alice, [bob, carol])];
    await flag(bob, 'add', 'read', ids);
    const [phone, old] = [await bob.listen({ client_capabilities: newest }), await bob.listen()];
    await flag(bob, 'remove', 'read', ids);
    const details = (topic: string) => ({
      [String(ids[0])]: { type: 'stream', stream_id, topic, unmuted_stream_msg: true },
      [String(ids[1])]: { type: 'private', user_ids: [alice.id, carol.id].sort((a, b) => a - b) },
    });
    expect(await phone.hears()).toMatchObject([
      { op: 'remove', messages: ids, message_details: details('') },
    ]);
    expect(await old.hears()).toMatchObject([{ message_details: details('general chat') }]);
    expect((await state(bob)).unread_msgs.count).toBe(2);
  });

  test('makes unread what came as read: one’s own, and that of someone muted', async () => {
    const { alice, bob } = await realm();
    await succeed(bob.post(`/users/me/muted_users/${alice.id}`));
    const { id } = await alice.post('/messages', {
      type: 'direct',
      to: [bob.id],
      content: 'x',
      read_by_sender: true,
    });
    for (const person of [alice, bob]) {
      expect((await state(person)).unread_msgs.count).toBe(0);
      await flag(person, 'remove', 'read', [id]);
      expect((await state(person)).unread_msgs.count, person.name).toBe(1);
      await flag(person, 'add', 'read', [id]);
      expect((await state(person)).unread_msgs.count).toBe(0);
    }
  });

  test('leaves read what is in channels that one is not subscribed to, and names them', async () => {
    const { alice, carol } = await realm();
    await subscribe(alice, 'news');
    const { id } = await alice.post('/messages', {
      type: 'channel',
      to: 'news',
      topic: 't',
      content: '@**Carol**',
    });
    await flag(carol, 'add', 'read', [id]);
    expect(await flag(carol, 'remove', 'read', [id])).toMatchObject({
      ignored_because_not_subscribed_channels: [await channelId(alice, 'news')],
    });
    expect((await state(carol)).unread_msgs.count).toBe(0);
  });

  test('stars and collapses, also history that one did not receive', async () => {
    const { alice, bob, carol } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const id = await say(alice, 'news');
    for (const person of [bob, carol]) {
      const phone = await person.listen();
      await flag(person, 'add', 'starred', [id]);
      await flag(person, 'add', 'starred', [id]);
      await flag(person, 'add', 'collapsed', [id]);
      expect((await phone.hears()).map(({ flag: name, messages }) => [name, messages])).toEqual([
        ['starred', [id]],
        ['collapsed', [id]],
      ]);
      expect((await state(person)).starred_messages).toEqual([id]);
      await flag(person, 'remove', 'starred', [id]);
      expect((await state(person)).starred_messages).toEqual([]);
    }
    expect((await carol.get(`/messages/${id}`)).message.flags).toEqual(['read', 'collapsed', 'historical']);
  });

  test('refuses flags that are not one’s to set, other ops, and messages out of reach', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'secret', [alice], { invite_only: true });
    const id = await say(alice, 'secret', 't');
    const refused = (msg: string) => ({ result: 'error', code: 'BAD_REQUEST', msg });
    expect(await flag(alice, 'toggle', 'read', [id])).toEqual(
      refused("'op' cannot be 'toggle'. Use 'add' or 'remove'."),
    );
    expect(await flag(alice, 'add', 'mentioned', [id])).toEqual(
      refused("The flag 'mentioned' cannot be changed."),
    );
    expect(await flag(alice, 'add', 'shiny', [id])).toEqual(refused("There is no flag 'shiny'."));
    expect(await flag(bob, 'add', 'starred', [id])).toEqual(
      refused('These messages do not exist, or you do not have access to them.'),
    );
    expect(await flag(bob, 'add', 'starred', [2_000_000_000])).toEqual(
      refused('These messages do not exist, or you do not have access to them.'),
    );
    expect(await flag(bob, 'add', 'read', [id])).toMatchObject({ result: 'success' });
    expect((await state(bob)).starred_messages).toEqual([]);
  });
});

describe('POST /messages/flags/narrow', () => {
  test('changes a range of a narrow, and says how far it went', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const ids: number[] = [];
    for (let number = 0; number < 5; number += 1) ids.push(await say(alice, 'news'));
    const other = await say(alice, 'news', 'other');
    const ask = (params: object) =>
      bob.post('/messages/flags/narrow', {
        anchor: 'oldest',
        num_before: 0,
        num_after: 3,
        narrow: [['topic', 't']],
        op: 'add',
        flag: 'read',
        ...params,
      });
    expect(await ask({})).toEqual({
      result: 'success',
      msg: '',
      processed_count: 3,
      updated_count: 3,
      first_processed_id: ids[0],
      last_processed_id: ids[2],
      found_oldest: true,
      found_newest: false,
      ignored_because_not_subscribed_channels: [],
    });
    expect(await ask({ anchor: String(ids[1]), include_anchor: false, num_after: 100 })).toMatchObject({
      processed_count: 3,
      updated_count: 2,
      found_newest: true,
    });
    expect((await state(bob)).unread_msgs.streams).toMatchObject([
      { topic: 'other', unread_message_ids: [other] },
    ]);
    expect(await ask({ narrow: [['topic', 'none']] })).toMatchObject({
      processed_count: 0,
      first_processed_id: null,
      last_processed_id: null,
    });
    expect(await ask({ num_before: 1_000_000, num_after: 1_000_000, narrow: null })).toMatchObject({
      processed_count: 6,
    });
    expect(await ask({ include_anchor: false, num_before: 1 })).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

describe('marking as read', () => {
  async function place() {
    const home = await realm();
    const { alice, bob } = home;
    await subscribe(alice, 'news', [alice, bob]);
    await subscribe(alice, 'more', [alice, bob]);
    const ids = {
      t: await say(alice, 'news'),
      u: await say(alice, 'news', 'u'),
      more: await say(alice, 'more', 't'),
      direct: await tell(alice, [bob]),
    };
    return { ...home, ids, stream_id: await channelId(alice, 'news') };
  }
  const unread = async (person: Person): Promise<number[]> => {
    const { unread_msgs } = await state(person);
    const lists = [...unread_msgs.streams, ...unread_msgs.pms];
    return lists.flatMap(({ unread_message_ids: ids }: Json) => ids).sort((a, b) => a - b);
  };

  test('everything is one event without ids', async () => {
    const { bob } = await place();
    const phone = await bob.listen();
    expect(await bob.post('/mark_all_as_read')).toEqual({ result: 'success', msg: '', complete: true });
    expect(await phone.hears()).toMatchObject([{ op: 'add', flag: 'read', all: true, messages: [] }]);
    expect(await unread(bob)).toEqual([]);
  });

  test('a channel, or a topic, names its messages', async () => {
    const { bob, ids, stream_id } = await place();
    const phone = await bob.listen();
    await bob.post('/mark_topic_as_read', { stream_id, topic_name: 'T' });
    await bob.post('/mark_stream_as_read', { stream_id });
    expect((await phone.hears()).map(({ messages }) => messages)).toEqual([[ids.t], [ids.u]]);
    expect(await unread(bob)).toEqual([ids.more, ids.direct]);
  });

  test('refuses channels out of reach and topics that are none', async () => {
    const { alice, bob, guest, stream_id } = await place();
    await subscribe(alice, 'secret', [alice], { invite_only: true });
    const secret = await channelId(alice, 'secret');
    for (const [by, id] of [
      [bob, secret],
      [guest, stream_id],
      [bob, 2_000_000_000],
    ] as const) {
      const refused = { code: 'BAD_REQUEST', msg: 'This channel does not exist.' };
      expect(await by.post('/mark_stream_as_read', { stream_id: id })).toMatchObject(refused);
      expect(await by.post('/mark_topic_as_read', { stream_id: id, topic_name: 't' })).toMatchObject(refused);
    }
    expect(await bob.post('/mark_topic_as_read', { stream_id, topic_name: 'none' })).toMatchObject({
      code: 'BAD_REQUEST',
      msg: "There is no topic called 'none'.",
    });
  });

  test('a topic of which one may read nothing is one that is not there', async () => {
    const { alice, bob } = await realm();
    const protectedOne = { invite_only: true, history_public_to_subscribers: false };
    const stream_id = await emptyChannel(alice, 'plans', [alice], protectedOne);
    await say(alice, stream_id, 'layoffs');
    await subscribe(alice, 'plans', [bob]);
    await say(alice, stream_id, 'lunch');
    const mark = async (topic_name: string) =>
      (await bob.post('/mark_topic_as_read', { stream_id, topic_name })).msg;
    expect(await mark('layoffs')).toBe("There is no topic called 'layoffs'.");
    expect(await mark('lunch')).toBe('');
  });
});

test('direct conversations are listed by their newest message', async () => {
  const { alice, bob, carol } = await realm();
  await tell(alice, [bob]);
  const group = await tell(carol, [alice, bob]);
  const newest = await tell(bob, [alice]);
  const note = await tell(alice, [alice]);
  expect((await state(alice)).recent_private_conversations).toEqual([
    { max_message_id: note, user_ids: [] },
    { max_message_id: newest, user_ids: [bob.id] },
    { max_message_id: group, user_ids: [bob.id, carol.id].sort((a, b) => a - b) },
  ]);
});

test('leaving a channel reads what was unread there', async () => {
  const { alice, bob } = await realm();
  await subscribe(alice, 'news', [alice, bob]);
  const id = await say(alice, 'news');
  const phone = await bob.listen();
  await bob.delete('/users/me/subscriptions', { subscriptions: ['news'] });
  expect((await phone.hears()).at(-1)).toMatchObject({
    type: 'update_message_flags',
    op: 'add',
    flag: 'read',
    messages: [id],
  });
  expect((await state(bob)).unread_msgs.count).toBe(0);
});

test('reading 10 000 messages writes one row per conversation, and none per message', async () => {
  const { alice, bob, carol } = await realm();
  await subscribe(alice, 'news', [alice, bob]);
  await say(alice, 'news');
  await tell(alice, [bob, carol]);
  const ids = await fillConversationsOf(alice);
  const written = await countReadingWrites(() => succeed(flag(bob, 'add', 'read', ids)));
  expect(written).toEqual({ members: 2, messages: 0 });
  expect(await countFlags({ person: bob })).toBe(0);
  expect((await state(bob)).unread_msgs.count).toBe(2);
});
