import * as actions from '@parley/actions';
import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  archivedContent,
  countFlags,
  countMessages,
  done,
  emptyChannel,
  getWorld,
  makeOlder,
  newest,
  ordinalOf,
  performDuring,
  permit,
  realm,
  refused,
  repeatMessage,
  say,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import { idsIn, newsroom, see } from './newsroom.ts';

const bulk = { client_capabilities: newest };

const remove = (by: Person, id: number) => by.delete(`/messages/${id}`);

describe('DELETE /messages/{id}', () => {
  test('takes the message away for everyone, and says so in the way that each client reads', async () => {
    const { alice, bob, carol, news } = await newsroom();
    const [first, id] = [await say(alice, 'news', 'Lunch'), await say(alice, 'news', 'Lunch')];
    const [old, modern, stranger] = [await bob.listen(), await bob.listen(bulk), await carol.listen()];

    expect(await remove(alice, id)).toEqual({ result: 'success', msg: '' });

    const event = {
      id: expect.any(Number),
      type: 'delete_message',
      message_type: 'stream',
      stream_id: news,
      topic: 'Lunch',
    };
    expect(await modern.hears()).toEqual([{ ...event, message_ids: [id] }]);
    expect(await old.hears()).toEqual([{ ...event, message_id: id }]);
    expect(await stranger.hears()).toEqual([]);
    expect(await see(bob, id)).toBeUndefined();
    expect(await idsIn(bob, news, 'Lunch')).toEqual([first]);
    expect(await archivedContent(alice, id)).toBe('hello');
  });

  test('leaves the numbers of what is said next alone, and takes along all that hung on the message', async () => {
    const { alice, bob } = await newsroom();
    const [first, last] = [await say(alice, 'news', 'lunch'), await say(alice, 'news', 'lunch')];
    const star = { op: 'add', flag: 'starred', messages: [last] };
    await succeed(bob.post('/messages/flags', star));
    expect(await countFlags({ person: alice, messageId: last })).toBe(1);
    await alice.patch(`/messages/${last}`, { content: 'other' });
    await remove(alice, last);
    const next = await say(alice, 'news', 'lunch');
    expect([await ordinalOf(alice, first), await ordinalOf(alice, next)]).toEqual([1, 3]);
    expect(await countFlags({ person: alice, messageId: last })).toBe(0);
  });

  test('deleting the first message of a channel says what the first one is now, before', async () => {
    const { alice, bob, news } = await newsroom();
    const [first, second] = [await say(alice, 'news', 'lunch'), await say(alice, 'news', 'dinner')];
    const phone = await bob.listen({ ...bulk, event_types: ['stream', 'message', 'delete_message'] });
    await remove(alice, first);
    await remove(alice, second);
    expect(await phone.hears()).toMatchObject([
      { type: 'stream', op: 'update', stream_id: news, property: 'first_message_id', value: second },
      { type: 'delete_message', message_ids: [first] },
      { type: 'stream', op: 'update', stream_id: news, property: 'first_message_id', value: null },
      { type: 'delete_message', message_ids: [second] },
    ]);
    // The next one is the first again, and is told as such.
    const third = await say(bob, 'news', 'lunch');
    expect(await phone.hears()).toMatchObject([{ type: 'stream', value: third }, { type: 'message' }]);
  });

  test('deleting a direct message reaches its people alone', async () => {
    const { alice, bob, carol } = await realm();
    const id = await tell(alice, [bob]);
    const [phone, stranger] = [await bob.listen(bulk), await carol.listen(bulk)];
    await remove(alice, id);
    expect(await phone.hears()).toEqual([
      { id: expect.any(Number), type: 'delete_message', message_ids: [id], message_type: 'private' },
    ]);
    expect(await stranger.hears()).toEqual([]);
  });

  test('always reaches whoever deletes', async () => {
    const { alice, admin } = await newsroom();
    const id = await say(alice, 'news', 'lunch');
    const phone = await admin.listen({ ...bulk, event_types: ['delete_message'] });
    await remove(admin, id);
    expect(await phone.hears()).toMatchObject([{ type: 'delete_message', message_ids: [id] }]);
  });

  test('is for senders for ten minutes, for owners of bots, and for administrators for ever', async () => {
    const { alice, bob, guest, moderator, owner, admin, bot, people } = await newsroom();
    const denied = refused('You do not have permission to delete this message.');
    const id = await say(alice, 'news', 'lunch');
    for (const by of [bob, guest, moderator]) expect(await remove(by, id)).toMatchObject(denied);
    await makeOlder(alice, id, 601);
    expect(await remove(alice, id)).toMatchObject(refused('This message is too old for you to delete.'));
    expect(await remove(admin, id)).toMatchObject(done);
    const next = await say(alice, 'news', 'lunch');
    await makeOlder(alice, next, 6000);
    await succeed(owner.patch('/realm', { message_content_delete_limit_seconds: '"unlimited"' }));
    expect(await remove(alice, next)).toMatchObject(done);

    await subscribe(owner, 'news', [bot]);
    const bots = await say(bot, 'news', 'lunch');
    expect(await remove(alice, bots)).toMatchObject(denied);
    await permit(people, 'can_delete_any_message_group', 'role:nobody');
    expect(await remove(admin, bots)).toMatchObject(denied);
    expect(await remove(owner, bots)).toMatchObject(done);
  });

  test('is for whom the organization or the channel lets', async () => {
    const { alice, bob, guest, people, news } = await newsroom();
    const denied = refused('You do not have permission to delete this message.');
    await permit(people, 'can_delete_own_message_group', 'role:administrators');
    const [mine, theirs, direct] = [
      await say(alice, 'news', 'lunch'),
      await say(guest, 'news', 'lunch'),
      await tell(alice, [bob]),
    ];
    expect(await remove(alice, mine)).toMatchObject(denied);
    expect(await remove(alice, direct)).toMatchObject(denied);
    await permit(people, 'can_delete_own_message_group', 'role:members', news);
    expect(await remove(alice, mine)).toMatchObject(done);
    expect(await remove(guest, theirs)).toMatchObject(denied);
    await permit(people, 'can_delete_any_message_group', 'role:members', news);
    expect(await remove(bob, theirs)).toMatchObject(done);
    expect(await remove(alice, direct)).toMatchObject(denied);
  });

  test('does not find what is not there, or not theirs to see', async () => {
    const { alice, bob, owner } = await newsroom();
    await subscribe(alice, 'secret', [alice], { invite_only: true });
    const secret = await say(alice, 'secret', 'lunch');
    const { owner: other } = await realm();
    const invalid = refused('These messages do not exist, or you do not have access to them.');
    for (const [by, id] of [
      [owner, secret],
      [bob, secret],
      [other, secret],
      [owner, 2_000_000_000],
    ] as const) {
      expect(await remove(by, id)).toMatchObject(invalid);
    }
    expect(await remove(alice, secret)).toMatchObject(done);
    expect(await remove(alice, secret)).toMatchObject(invalid);
  });

  test('a message that two users delete at once is deleted once', async () => {
    const { alice, admin, bob } = await newsroom();
    const id = await say(alice, 'news', 'lunch');
    const phone = await bob.listen({ ...bulk, event_types: ['delete_message'] });
    const replies = await Promise.all([alice, admin, admin].map((by) => remove(by, id)));
    expect(replies.filter((reply: Json) => reply.result === 'success')).toHaveLength(1);
    for (const { result, code, msg } of replies) {
      expect([result, code, msg].join(' ')).toMatch(
        /^success|BAD_REQUEST (This message has already|These messages do not exist)/,
      );
    }
    expect(await phone.hears()).toHaveLength(1);
  });
});

describe('POST /streams/{id}/delete_topic', () => {
  const clear = (by: Person, channel: number, topic_name: string) =>
    by.post(`/streams/${channel}/delete_topic`, { topic_name });

  test('deletes a topic’s messages and what people said of it, and nothing beside', async () => {
    const { alice, bob, admin, news } = await newsroom();
    const ids = [await say(alice, 'news', 'lunch'), await say(bob, 'news', 'LUNCH')];
    const other = await say(alice, 'news', 'dinner');
    await bob.post('/user_topics', { stream_id: news, topic: 'lunch', visibility_policy: 3 });
    const phone = await bob.listen(bulk);
    expect(await clear(admin, news, 'Lunch')).toEqual({ result: 'success', msg: '', complete: true });
    expect(await phone.hears()).toMatchObject([
      { type: 'stream', property: 'first_message_id', value: other },
      { type: 'delete_message', message_ids: ids, stream_id: news, topic: 'lunch' },
      { type: 'muted_topics' },
      { type: 'user_topic', topic_name: 'lunch', visibility_policy: 0 },
    ]);
    expect(await idsIn(alice, news, 'lunch')).toEqual([]);
    expect(await idsIn(alice, news, 'dinner')).toEqual([other]);
    expect(await clear(admin, news, 'nothing')).toMatchObject({ complete: true });
  });

  test('goes on batch by batch', async () => {
    const { alice, admin, bob, news } = await newsroom();
    await repeatMessage(alice, await say(alice, 'news', 'lunch'), 2500);
    const phone = await bob.listen({ ...bulk, event_types: ['delete_message'] });
    expect(await clear(admin, news, 'lunch')).toMatchObject({ complete: true });
    const sizes = (await phone.hears()).map(({ message_ids }) => message_ids.length);
    expect(sizes).toEqual([1000, 1000, 501]);
    expect(await countMessages(news)).toBe(0);
  });

  test.each([
    [2, [2]],
    [3, [2, 1]],
  ])('takes as many transactions as %i messages need, two in each', async (count, sizes) => {
    const { admin, alice, bob, news } = await newsroom();
    const { engine } = await getWorld();
    for (let number = 0; number < count; number += 1) await say(alice, 'news', 'lunch');
    const phone = await bob.listen({ ...bulk, event_types: ['delete_message'] });
    const deletion = { actor: admin.actor, channelId: news, topic: 'lunch', batchMax: 2 };
    const deleted: number[][] = [];
    for (let isComplete = false; !isComplete;) {
      ({ isComplete } = await engine.perform(admin.realm.id, actions.messages.deleteTopic, deletion));
      deleted.push((await phone.hears()).map(({ message_ids }) => message_ids.length));
    }
    expect(deleted).toEqual(sizes.map((size) => [size]));
  });

  test('tells nobody who comes meanwhile of protected history', async () => {
    const { admin, alice, bob, carol } = await newsroom();
    const everyone = [admin, alice, bob];
    const kind = { invite_only: true, history_public_to_subscribers: false };
    const channelId = await emptyChannel(admin, 'secret', [admin, alice, bob], kind);
    await say(alice, 'secret', 'lunch');
    const phones = await Promise.all(
      [...everyone, carol].map((by) => by.listen({ event_types: ['delete_message'] })),
    );
    const deletion = { channelId, topic: 'lunch', batchMax: 10 };
    await performDuring(
      admin.realm,
      (tx) => actions.messages.deleteTopic(tx, { actor: admin.actor, ...deletion }),
      () => subscribe(alice, 'secret', [carol]),
    );
    const heard = await Promise.all(phones.map(async (phone) => (await phone.hears()).length));
    expect(heard).toEqual([1, 1, 1, 0]);
  });

  test('is for administrators, and whoever may delete any message', async () => {
    const { alice, moderator, guest, people, news, owner } = await newsroom();
    await say(alice, 'news', 'lunch');
    for (const by of [alice, moderator, guest]) {
      expect(await clear(by, news, 'lunch')).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
    }
    const secret = await emptyChannel(alice, 'secret', [alice], { invite_only: true });
    for (const channel of [secret, 2_000_000_000]) {
      expect(await clear(owner, channel, 'lunch')).toMatchObject(refused('This channel does not exist.'));
    }
    await permit(people, 'can_delete_any_message_group', 'role:moderators', news);
    expect(await clear(moderator, news, 'lunch')).toMatchObject({ complete: true });
  });
});

describe('POST /messages/{id}/report', () => {
  const report = (by: Person, id: number, params: object = { report_type: 'spam' }) =>
    by.post(`/messages/${id}/report`, { ...params });

  test('lays the message before the moderators', async () => {
    const { alice, bob, moderator, owner } = await newsroom();
    const id = await say(bob, 'news', 'lunch', 'buy ```this```');
    expect(await report(alice, id)).toMatchObject(
      refused('This organization does not accept reports of messages.'),
    );
    const desk = await emptyChannel(moderator, 'desk', [moderator], { invite_only: true });
    await succeed(owner.patch('/realm', { moderation_request_channel_id: desk }));
    const [ear, stranger] = [await moderator.listen(), await bob.listen()];
    expect(await report(alice, id, { report_type: 'norms', description: 'rude' })).toEqual({
      result: 'success',
      msg: '',
    });
    const message = (await ear.hears()).find(({ type }) => type === 'message')?.['message'];
    expect(message).toMatchObject({ stream_id: desk, subject: "Bob's moderation requests" });
    expect(message.content).toContain(`@_**Alice|${alice.id}**`);
    expect(message.content).toContain('````spoiler Message\nbuy ```this```\n````');
    expect(message.content).toContain('```quote\nrude\n```');
    expect(await stranger.hears()).toEqual([]);
  });

  test('needs a reason that is one, and a message that one can see', async () => {
    const { alice, bob, moderator, owner } = await newsroom();
    const desk = await emptyChannel(moderator, 'desk', [moderator], { invite_only: true });
    await succeed(owner.patch('/realm', { moderation_request_channel_id: desk }));
    const direct = await tell(bob, [alice]);
    expect(await report(alice, direct, { report_type: 'other' })).toMatchObject(
      refused('Describe what is wrong with this message.'),
    );
    expect(await report(alice, direct, { report_type: 'boring' })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await report(alice, direct, { report_type: 'spam', description: 'x'.repeat(1001) })).toMatchObject(
      { code: 'BAD_REQUEST' },
    );
    expect(await report(moderator, direct)).toMatchObject(
      refused('These messages do not exist, or you do not have access to them.'),
    );
    expect(await report(alice, direct, { report_type: 'other', description: 'x' })).toMatchObject(done);
  });
});
