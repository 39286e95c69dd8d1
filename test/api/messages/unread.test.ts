import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  channelId,
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

  test('names the empty topic to clients that cannot show one', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    await say(bob, 'news', '');
    const topicFor = async (client_capabilities: object) => {
      return (await register(alice, client_capabilities)).unread_msgs.streams[0].topic;
    };
    expect(await topicFor(newest)).toBe('');
    expect(await topicFor({ notification_settings_null: true })).toBe('general chat');
  });
});
