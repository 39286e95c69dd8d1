import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  channelId,
  emptyChannel,
  fillConversationsOf,
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

  test('holds the newest fifty thousand, and says that there may be more', async () => {
    const { alice, bob } = await realm();
    for (let number = 0; number < 11; number += 1) {
      await emptyChannel(alice, `channel ${number}`, [alice, bob]);
      await say(bob, `channel ${number}`);
    }
    await fillConversationsOf(bob);
    const { count, old_unreads_missing } = (await register(alice)).unread_msgs;
    expect({ count, old_unreads_missing }).toEqual({ count: 50_000, old_unreads_missing: true });
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
