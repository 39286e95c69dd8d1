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

const flag = (by: Person, op: string, name: string, messages: number[]): Promise<Json> =>
  succeed(by.post('/messages/flags', { op, flag: name, messages }));

describe('POST /messages/flags with remove and read', () => {
  test('says of each message whether it mentions, and whether it is muted', async () => {
    const { alice, bob } = await realm();
    for (const name of ['news', 'more']) await subscribe(alice, name, [alice, bob]);
    const [news, more] = [await channelId(alice, 'news'), await channelId(alice, 'more')];
    await succeed(
      bob.post('/users/me/subscriptions/properties', {
        subscription_data: [{ stream_id: more, property: 'is_muted', value: true }],
      }),
    );
    const ids = [
      await say(alice, 'news', 't', '@**Bob**'),
      await say(alice, 'news', 't', 'x'),
      await say(alice, 'more', 't', '@**all**'),
      await tell(alice, [bob], '@**Bob**'),
      await tell(alice, [bob], 'x'),
    ];
    await flag(bob, 'add', 'read', ids);
    const phone = await bob.listen({ client_capabilities: newest });
    await flag(bob, 'remove', 'read', ids);
    const stream = { type: 'stream', stream_id: news, topic: 't', unmuted_stream_msg: true };
    const direct = { type: 'private', user_ids: [alice.id] };
    const details = [
      { ...stream, mentioned: true },
      stream,
      { ...stream, mentioned: true, stream_id: more, unmuted_stream_msg: false },
      { ...direct, mentioned: true },
      direct,
    ];
    expect(await phone.hears()).toEqual([
      {
        id: expect.any(Number),
        type: 'update_message_flags',
        op: 'remove',
        operation: 'remove',
        flag: 'read',
        all: false,
        messages: ids,
        message_details: Object.fromEntries(ids.map((id, index) => [String(id), details[index]])),
      },
    ]);
  });

  test('counts in a narrow what it changed, which may be nothing', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    await say(alice, 'news');
    const narrow = [{ operator: 'channel', operand: 'news' }];
    const range = { anchor: 'newest', num_before: 10, num_after: 0, narrow };
    const markUnread = () =>
      succeed(bob.post('/messages/flags/narrow', { ...range, op: 'remove', flag: 'read' }));
    expect(await markUnread()).toMatchObject({ updated_count: 0 });
    await succeed(bob.post('/messages/flags/narrow', { ...range, op: 'add', flag: 'read' }));
    expect(await markUnread()).toMatchObject({ updated_count: 1 });
  });

  test('names the channels that it leaves alone, also where it changes nothing, and then tells nothing', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice]);
    await subscribe(alice, 'more', [alice, bob]);
    const [news, here] = [await say(alice, 'news'), await say(alice, 'more')];
    const phone = await bob.listen();
    const ignored = { ignored_because_not_subscribed_channels: [await channelId(alice, 'news')] };
    expect(await flag(bob, 'remove', 'read', [news, here])).toMatchObject(ignored);
    expect(await phone.hears()).toEqual([]);
    await flag(bob, 'add', 'read', [here]);
    expect(await flag(bob, 'remove', 'read', [news, here])).toMatchObject(ignored);
    expect((await phone.hears()).map(({ op, messages }) => [op, messages])).toEqual([
      ['add', [here]],
      ['remove', [here]],
    ]);
  });
});

test('stars come and go in order of messages, whatever order was asked for', async () => {
  const { alice, bob } = await realm();
  await subscribe(alice, 'news', [alice, bob]);
  const ids: number[] = [];
  for (let number = 0; number < 4; number += 1) ids.push(await say(alice, 'news'));
  const [first = 0, second = 0, third = 0, fourth = 0] = ids;
  // Rows are found in the order in which they were written last.
  for (const id of [fourth, second]) await flag(bob, 'add', 'starred', [id]);
  const phone = await bob.listen();
  await flag(bob, 'add', 'starred', [fourth, third, first]);
  await flag(bob, 'remove', 'starred', [second, fourth, first, third]);
  expect((await phone.hears()).map(({ op, messages }) => [op, messages])).toEqual([
    ['add', [first, third]],
    ['remove', ids],
  ]);
});
