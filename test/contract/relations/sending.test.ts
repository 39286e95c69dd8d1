import { describe, expect, test } from 'vitest';

import {
  type Person,
  channelOf,
  createChannel,
  emptyChannel,
  leave,
  outcomeOf,
  permit,
  realm,
  say,
  setSubscriberCount,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import { listenWith, messagesHeard, shown, stateOf } from './heard.ts';

const follow = (by: Person) => succeed(by.patch('/settings', { automatically_follow_topics_policy: 2 }));

describe('4.1 POST /messages', () => {
  test('a direct message has the empty topic, whatever topic came with it', async () => {
    const { alice, bob } = await realm();
    const phone = await bob.listen();
    const sent = { type: 'direct', to: [bob.id], content: 'x', topic: 'lunch' };
    expect(outcomeOf(await alice.post('/messages', sent))).toBe('ok');
    expect(await messagesHeard(phone)).toMatchObject([{ type: 'private', subject: '' }]);
  });

  test('a message to a channel without a topic is refused, and nobody hears of it', async () => {
    const { alice, bob } = await realm();
    const news = await emptyChannel(alice, 'news', [alice, bob]);
    const phone = await bob.listen();
    expect(await alice.post('/messages', { type: 'channel', to: news, content: 'x' })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await phone.hears()).toEqual([]);
  });

  test('queue_id without local_id sends nothing', async () => {
    const { alice, bob } = await realm();
    const [own, his] = [await alice.listen(), await bob.listen()];
    const sent = { type: 'direct', to: [bob.id], content: 'x', queue_id: own.queueId };
    expect(await alice.post('/messages', sent)).toMatchObject({ result: 'error' });
    expect(await his.hears()).toEqual([]);
  });

  test.each([
    ['stream', 'channel'],
    ['private', 'direct'],
  ])('messages that are sent as %s and as %s look the same to who receives them', async (old, name) => {
    const { alice, bob } = await realm();
    const news = await emptyChannel(alice, 'news', [alice, bob]);
    const phone = await bob.listen();
    const place = old === 'stream' ? { to: news, topic: 't' } : { to: [bob.id] };
    for (const type of [old, name]) {
      await succeed(alice.post('/messages', { ...place, type, content: 'x' }));
    }
    const [first, second] = await messagesHeard(phone);
    const { id, timestamp, ...rest } = second;
    expect(first).toMatchObject({ ...rest, type: old });
    expect(id).toBeGreaterThan(first.id);
    expect(timestamp).toBeGreaterThanOrEqual(first.timestamp);
  });

  test('ids of messages rise in the order in which they were sent, and pages of messages are in that order', async () => {
    const { alice, bob, carol } = await realm();
    const news = await emptyChannel(alice, 'news', [alice, bob]);
    const sent = [
      await say(alice, news, 'a'),
      await tell(carol, [bob]),
      await say(bob, news, 'b'),
      await say(alice, news, 'a'),
    ];
    expect(sent).toEqual(sent.toSorted((a, b) => a - b));
    const { messages } = await bob.get('/messages', { anchor: 'newest', num_before: 9 });
    expect(messages.map(({ id }: { id: number }) => id)).toEqual(sent);
  });

  test('both directions of a conversation of two have one recipient_id, and another conversation another', async () => {
    const { alice, bob, carol } = await realm();
    const sent = [
      await tell(alice, [bob]),
      await tell(bob, [alice]),
      await tell(alice, [carol]),
      await tell(alice, [bob, carol]),
    ];
    const shownIds = await Promise.all(sent.map(async (id) => (await shown(alice, id)).recipient_id));
    expect(shownIds[1]).toBe(shownIds[0]);
    expect(new Set(shownIds).size).toBe(3);
  });

  test('whoever left a channel hears nothing that is sent there later, and whoever joined does', async () => {
    const { alice, bob, carol } = await realm();
    const news = await emptyChannel(alice, 'news', [alice, bob]);
    const [his, hers] = [await bob.listen(), await carol.listen()];
    await leave(bob, ['news']);
    await subscribe(carol, 'news');
    await say(alice, news);
    expect(await messagesHeard(his)).toEqual([]);
    expect(await messagesHeard(hers)).toHaveLength(1);
  });

  test('a channel that does not exist is named in the error as it was named in the request', async () => {
    const { alice } = await realm();
    const send = (to: unknown) => alice.post('/messages', { type: 'channel', to, topic: 't', content: 'x' });
    expect(await send('Nowhere')).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', stream: 'Nowhere' });
    const byId = await send(2_000_000_000);
    expect(byId).toMatchObject({ code: 'STREAM_DOES_NOT_EXIST', stream_id: 2_000_000_000 });
    expect(byId).not.toHaveProperty('stream');
  });

  test('the reply names a new visibility policy only for the message that changed it', async () => {
    const { alice } = await realm();
    const news = await emptyChannel(alice, 'news', [alice]);
    await follow(alice);
    const send = () => alice.post('/messages', { type: 'channel', to: news, topic: 't', content: 'x' });
    expect(await send()).toMatchObject({ automatic_new_visibility_policy: 3 });
    expect(await send()).not.toHaveProperty('automatic_new_visibility_policy');
  });

  test('a policy that sending changed is told to all clients of the sender, and to nobody else', async () => {
    const { alice, bob } = await realm();
    const news = await emptyChannel(alice, 'news', [alice, bob]);
    await follow(alice);
    const types = ['user_topic'];
    const [phone, laptop, his] = [
      await alice.listen({ event_types: types }),
      await alice.listen({ event_types: types }),
      await bob.listen({ event_types: types }),
    ];
    await say(alice, news, 't');
    for (const own of [phone, laptop]) {
      expect(await own.hears()).toMatchObject([{ stream_id: news, topic_name: 't', visibility_policy: 3 }]);
    }
    expect(await his.hears()).toEqual([]);
  });

  test.each([true, false])('read_by_sender %s decides whether the sender has read it', async (isRead) => {
    const { alice, bob } = await realm();
    const [own, his] = [await alice.listen(), await bob.listen()];
    const sent = { type: 'direct', to: [bob.id], content: 'x', read_by_sender: isRead };
    await succeed(alice.post('/messages', { ...sent, client: isRead ? 'curl' : 'website' }));
    expect((await own.hears())[0]?.['flags'].includes('read')).toBe(isRead);
    expect((await his.hears())[0]?.['flags']).toEqual([]);
  });

  test('a mention of a whole channel needs a permission from the 16th subscriber on', async () => {
    const people = await realm();
    const { alice } = people;
    const news = await emptyChannel(alice, 'news', [alice]);
    await permit(people, 'can_mention_many_users_group', 'role:moderators');
    const send = async () =>
      outcomeOf(
        await alice.post('/messages', { type: 'channel', to: news, topic: 't', content: '@**all**' }),
      );
    await setSubscriberCount(news, 15);
    expect(await send()).toBe('ok');
    await setSubscriberCount(news, 16);
    expect(await send()).toBe('STREAM_WILDCARD_MENTION_NOT_ALLOWED');
  });

  test('a holder of the permission to mention many mentions the whole of a large channel', async () => {
    const people = await realm();
    const { moderator } = people;
    const news = await emptyChannel(moderator, 'news', [moderator]);
    await permit(people, 'can_mention_many_users_group', 'role:moderators');
    await setSubscriberCount(news, 5000);
    const sent = { type: 'channel', to: news, topic: 't', content: '@**all**' };
    expect(outcomeOf(await moderator.post('/messages', sent))).toBe('ok');
  });

  test('a mention of the topic marks those who wrote or reacted there, and of the other subscribers nobody', async () => {
    const { alice, bob, carol, guest } = await realm();
    const news = await emptyChannel(alice, 'news', [alice, bob, carol, guest]);
    const first = await say(bob, news, 't');
    await succeed(carol.post(`/messages/${first}/reactions`, { emoji_name: 'tada' }));
    const phones = await Promise.all([bob, carol, guest].map((one) => one.listen()));
    await say(alice, news, 't', '@**topic**');
    const flags = await Promise.all(
      phones.map(async (phone) => (await phone.hears())[0]?.['flags'].toSorted()),
    );
    const marked = ['topic_wildcard_mentioned', 'wildcard_mentioned'];
    expect(flags).toEqual([marked, marked, []]);
  });

  test('two clients of one account are each sent the form of the text that they asked for', async () => {
    const { alice, bob } = await realm();
    const [plain, rich] = [await bob.listen(), await bob.listen({ apply_markdown: true })];
    await tell(alice, [bob], '**b**');
    expect(await messagesHeard(plain)).toMatchObject([{ content: '**b**', content_type: 'text/x-markdown' }]);
    expect(await messagesHeard(rich)).toMatchObject([
      { content: '<p><strong>b</strong></p>', content_type: 'text/html' },
    ]);
  });

  test('an author’s picture is left to the client only where the client can compute it and sees the address', async () => {
    const { alice, bob, guest } = await realm();
    const news = await emptyChannel(alice, 'news', [alice, bob, guest]);
    await succeed(alice.patch('/settings', { email_address_visibility: 4 }));
    const [computing, not] = [await guest.listen(), await guest.listen({ client_gravatar: false })];
    await say(bob, news);
    await say(alice, news);
    expect((await messagesHeard(computing)).map(({ avatar_url }) => avatar_url)).toEqual([
      null,
      expect.stringContaining('http'),
    ]);
    expect((await messagesHeard(not)).map(({ avatar_url }) => avatar_url)).not.toContain(null);
  });

  test('a message of a status is marked as one, and loses the mark when it is edited to another text', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob], '/me waves');
    expect((await shown(bob, id)).is_me_message).toBe(true);
    await succeed(alice.patch(`/messages/${id}`, { content: 'I wave' }));
    expect((await shown(bob, id)).is_me_message).toBe(false);
  });

  test('only holders of can_send_message_group write to a channel, also if the others are subscribed', async () => {
    const { alice, bob, carol } = await realm();
    const can_send_message_group = { direct_members: [bob.id], direct_subgroups: [] };
    const news = await createChannel(alice, 'news', [alice, bob, carol], { can_send_message_group });
    const send = async (by: Person) =>
      (await by.post('/messages', { type: 'channel', to: news, topic: 't', content: 'x' })).result;
    expect([await send(bob), await send(carol)]).toEqual(['success', 'error']);
  });

  test('the first message of a channel is what the channel says that its first message is', async () => {
    const { alice, bob } = await realm();
    const news = await emptyChannel(alice, 'news', [alice]);
    const phone = await listenWith(bob, ['stream']);
    const first = await say(alice, news);
    await say(alice, news);
    expect(await phone.hears()).toMatchObject([{ property: 'first_message_id', value: first }]);
    expect((await channelOf(bob, news)).first_message_id).toBe(first);
  });

  test('the greatest id in the state of a registration is that of the newest message that its user received', async () => {
    const { alice, bob, carol } = await realm();
    const mine = await tell(alice, [bob]);
    await tell(alice, [carol]);
    expect((await stateOf(bob, 'message')).max_message_id).toBe(mine);
  });
});
