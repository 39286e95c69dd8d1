import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  channelId,
  emptyChannel,
  fillConversationsOf,
  getWorld,
  newest,
  realm,
  say,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';

const register = (person: Person, client_capabilities: object = newest): Promise<Json> =>
  succeed(
    person.post('/register', { fetch_event_types: ['message', 'update_message_flags'], client_capabilities }),
  );

describe('unread_msgs', () => {
  test('is in order of places, in whatever order they were written to', async () => {
    const { alice, bob, carol, owner } = await realm();
    for (const name of ['news', 'more']) await subscribe(alice, name, [alice, bob]);
    const [news, more] = [await channelId(alice, 'news'), await channelId(alice, 'more')];
    const mention = async (to: number, topic: string): Promise<number> =>
      (await succeed(bob.post('/messages', { type: 'channel', to, topic, content: '@**Alice**' }))).id;
    const [last, middle, first] = [
      await mention(more, 'a'),
      await mention(news, 'b'),
      await mention(news, 'A'),
    ];
    const groups = [];
    for (const people of [
      [owner, carol],
      [bob, carol],
      [bob, owner],
    ]) {
      const id = await tell(bob, [alice, ...people]);
      const ids = new Set([alice, bob, ...people].map((person) => person.id));
      groups.push({ user_ids_string: [...ids].sort((a, b) => a - b).join(','), unread_message_ids: [id] });
    }
    const { unread_msgs } = await register(alice);
    expect(unread_msgs.streams).toEqual([
      { stream_id: news, topic: 'A', unread_message_ids: [first] },
      { stream_id: news, topic: 'b', unread_message_ids: [middle] },
      { stream_id: more, topic: 'a', unread_message_ids: [last] },
    ]);
    expect(unread_msgs.mentions).toEqual([last, middle, first]);
    expect(unread_msgs.huddles).toEqual(
      groups.sort((a, b) => (a.user_ids_string < b.user_ids_string ? -1 : 1)),
    );
  });

  test('has topics and people in order, by names without case and by ids', async () => {
    const { alice, bob, carol, owner, admin } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    for (const topic of ['c', '_x', 'B', 'a']) await say(bob, 'news', topic);
    const people = [carol, owner, bob, admin];
    for (const person of people) await tell(person, [alice]);
    const { streams, pms, count, old_unreads_missing } = (await register(alice)).unread_msgs;
    expect(streams.map(({ topic }: Json) => topic)).toEqual(['_x', 'a', 'B', 'c']);
    expect(pms.map(({ other_user_id }: Json) => other_user_id)).toEqual(
      people.map(({ id }) => id).sort((a, b) => a - b),
    );
    expect({ count, old_unreads_missing }).toEqual({ count: 8, old_unreads_missing: false });
  });

  test.each([
    ['none', 0, false, true],
    ['muted', 1, false, false],
    ['unmuted', 2, true, true],
    ['followed', 3, true, true],
  ] as const)(
    'counts a topic that is %s in a muted channel, and in another, as that says',
    async (_, policy, countsInMuted, countsElsewhere) => {
      const { alice, bob } = await realm();
      for (const [name, isMuted, counts] of [
        ['muted', true, countsInMuted],
        ['other', false, countsElsewhere],
      ] as const) {
        const stream_id = await emptyChannel(alice, name, [alice, bob]);
        const subscription_data = [{ stream_id, property: 'is_muted', value: isMuted }];
        await succeed(alice.post('/users/me/subscriptions/properties', { subscription_data }));
        await say(alice, name, 'tea');
        await succeed(alice.post('/user_topics', { stream_id, topic: 'tea', visibility_policy: policy }));
        const before = (await register(alice)).unread_msgs;
        const id = await say(bob, name, 'tea', '@**all** tea');
        const { count, mentions } = (await register(alice)).unread_msgs;
        expect([count - before.count, mentions.includes(id)], name).toEqual([counts ? 1 : 0, counts]);
        const range = { anchor: 'first_unread', num_before: 0, num_after: 0, narrow: [['sender', bob.id]] };
        const { anchor } = await succeed(alice.get('/messages', range));
        expect(anchor === id, name).toBe(counts);
        await succeed(alice.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }));
      }
    },
  );

  test('holds the newest fifty thousand, however many later ones arrived as read', async () => {
    const { alice, bob, carol } = await realm();
    const early = await tell(carol, [alice]);
    for (let number = 0; number < 11; number += 1) {
      await emptyChannel(alice, `channel ${number}`, [alice, bob]);
      await say(bob, `channel ${number}`);
    }
    await fillConversationsOf(bob);
    const { count, old_unreads_missing } = (await register(alice)).unread_msgs;
    expect({ count, old_unreads_missing }).toEqual({ count: 50_000, old_unreads_missing: true });

    // As if Alice had muted Bob.
    const { sql } = await getWorld();
    await sql`update messages set unread_for = '{}' where realm_id = ${alice.realm.id} and sender_id = ${bob.id}`;
    expect((await register(alice)).unread_msgs).toMatchObject({
      count: 1,
      old_unreads_missing: false,
      pms: [{ other_user_id: carol.id, unread_message_ids: [early] }],
    });
  });

  test('names the empty topic to clients that cannot show one', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    for (const topic of ['', 'tea']) await say(bob, 'news', topic);
    const topicsFor = async (client_capabilities: object) => {
      const { unread_msgs } = await register(alice, client_capabilities);
      return unread_msgs.streams.map(({ topic }: Json) => topic);
    };
    expect(await topicsFor(newest)).toEqual(['', 'tea']);
    expect(await topicsFor({ notification_settings_null: true })).toEqual(['general chat', 'tea']);
  });
});

describe('messages that are unread', () => {
  /** Of each hundred messages, those that stay unread: alone, in pairs, and far apart. */
  const staysUnread = (index: number) => [0, 2, 3, 7, 30, 31, 60].includes(index % 100) || index % 37 === 5;

  test('are found in a narrow, in either direction and around an anchor, however they lie among read ones', async () => {
    const { alice, bob, carol } = await realm();
    for (const name of ['news', 'more']) await subscribe(alice, name, [alice, bob]);
    const places: (() => Promise<number>)[] = [
      () => say(bob, 'news', 'a'),
      () => say(bob, 'more', 'b'),
      () => tell(bob, [alice]),
      () => say(bob, 'news', 'c'),
      () => tell(carol, [alice]),
    ];
    const sent: { id: number; place: number }[] = [];
    for (let index = 0; index < 150; index += 1) {
      const place = (index * 7 + (index >> 3)) % places.length;
      sent.push({ id: (await places[place]?.()) ?? 0, place });
    }
    const read = sent.filter((_, index) => !staysUnread(index)).map(({ id }) => id);
    await succeed(alice.post('/messages/flags', { messages: read, op: 'add', flag: 'read' }));
    // What is moved to another channel is unread there.
    const moved = sent.filter(({ place, id }) => place === 1 && !read.includes(id)).at(1)?.id ?? 0;
    const move = { stream_id: await channelId(alice, 'news'), topic: 'a', propagate_mode: 'change_one' };
    const quietly = { send_notification_to_old_thread: false, send_notification_to_new_thread: false };
    await succeed(alice.patch(`/messages/${moved}`, { ...move, ...quietly }));

    const ofPlaces = (...some: number[]) =>
      sent
        .filter(({ id, place }) => !read.includes(id) && some.includes(id === moved ? 0 : place))
        .map(({ id }) => id);
    const narrows: [Json[], number[]][] = [
      [[], ofPlaces(0, 1, 2, 3, 4)],
      [[['channel', 'news']], ofPlaces(0, 3)],
      [[['channel', 'more']], ofPlaces(1)],
      [
        [
          ['channel', 'news'],
          ['topic', 'a'],
        ],
        ofPlaces(0),
      ],
      [[['dm', [bob.id]]], ofPlaces(2)],
      [[['is', 'dm']], ofPlaces(2, 4)],
    ];
    const page = async (narrow: Json[], params: object): Promise<Json> =>
      await succeed(alice.get('/messages', { narrow, ...params }));
    const idsOf = ({ messages }: Json) => messages.map(({ id }: Json) => id);
    for (const [narrow, ids] of narrows) {
      const unread = [...narrow, ['is', 'unread']];
      const name = JSON.stringify(narrow);
      expect(idsOf(await page(unread, { anchor: 'newest', num_before: 200 })), name).toEqual(ids);
      expect(idsOf(await page(unread, { anchor: 'oldest', num_after: 3 })), name).toEqual(ids.slice(0, 3));
      const anchor = ids[Math.floor(ids.length / 2)] ?? 0;
      expect(idsOf(await page(unread, { anchor, num_before: 2, num_after: 2 })), name).toEqual(
        ids.filter((_, index) => Math.abs(index - ids.indexOf(anchor)) <= 2),
      );
      expect((await page(narrow, { anchor: 'first_unread', num_after: 1 })).anchor, name).toBe(ids[0]);
    }
    const { streams, pms, count } = (await register(alice)).unread_msgs;
    expect(count).toBe(ofPlaces(0, 1, 2, 3, 4).length);
    expect([...streams, ...pms].flatMap((one) => one.unread_message_ids).sort((a, b) => a - b)).toEqual(
      ofPlaces(0, 1, 2, 3, 4),
    );
  });

  test('come nearest first, of many conversations of which one has most of them', async () => {
    const { alice, bob } = await realm();
    const names = Array.from({ length: 14 }, (_, index) => `channel ${index}`);
    for (const name of names) await subscribe(alice, name, [alice, bob]);
    const sent: number[] = [];
    const busy = names[5] ?? '';
    for (let index = 0; index < 130; index += 1) {
      const name = index % 100 < 60 && index % 3 > 0 ? busy : (names[(index * 5) % names.length] ?? '');
      sent.push(await say(bob, name, 'tea'));
    }
    const isUnread = (index: number) => ![3, 4, 9, 40, 41, 42, 100].includes(index);
    const read = sent.filter((_, index) => !isUnread(index));
    await succeed(alice.post('/messages/flags', { messages: read, op: 'add', flag: 'read' }));
    const unread = sent.filter((_, index) => isUnread(index));
    const narrow = [
      ['is', 'unread'],
      ['sender', bob.id],
      ['channels', 'public'],
    ];
    for (const [at, count] of [
      [0, 1],
      [0, 7],
      [30, 40],
      [64, 100],
      [100, 90],
    ] as const) {
      const anchor = unread[at] ?? 0;
      const range = { narrow, anchor, num_before: count, num_after: count };
      const { messages, ...found } = await succeed(alice.get('/messages', range));
      const expected = unread.slice(Math.max(at - count, 0), at + count + 1);
      expect(messages.map(({ id }: Json) => id)).toEqual(expected);
      expect(found).toMatchObject({
        found_oldest: at <= count,
        found_newest: at + count >= unread.length - 1,
      });
    }
    const first = { anchor: 'first_unread', num_after: 1, narrow: [['channels', 'public']] };
    expect((await succeed(alice.get('/messages', first))).anchor).toBe(unread[0]);
  });

  test('are not those that were read behind an unread one of another topic', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    await say(bob, 'news', 'another');
    const [read, unread] = [await say(bob, 'news', 'tea'), await say(bob, 'news', 'tea')];
    await succeed(alice.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' }));
    const narrow = [
      ['channel', 'news'],
      ['topic', 'tea'],
    ];
    const { anchor } = await succeed(
      alice.get('/messages', { narrow, anchor: 'first_unread', num_after: 1 }),
    );
    expect(anchor).toBe(unread);
  });
});
