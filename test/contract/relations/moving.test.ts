import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  emptyChannel,
  makeOlder,
  outcomeOf,
  permit,
  realm,
  say,
  succeed,
} from '../../support/index.ts';
import { heardOf, idsIn, shown, stateOf } from './heard.ts';

const quiet = { send_notification_to_new_thread: false };
const whole = { propagate_mode: 'change_all', ...quiet };
const day = 86_400;

/** A topic of three messages, the first two of which are too old to be moved by anybody but moderators. */
async function oldTopic() {
  const people = await realm();
  const { alice, moderator } = people;
  const news = await emptyChannel(alice, 'news', [alice, moderator]);
  const ids = [
    await say(alice, news, 't'),
    await say(alice, news, 't'),
    await say(alice, news, 't'),
  ] as const;
  for (const id of ids.slice(0, 2)) await makeOlder(alice, id, 8 * day);
  const move = (by: Person, id: number, more: object = whole) =>
    by.patch(`/messages/${id}`, { topic: 'moved', ...more });
  return { ...people, people, news, ids, move };
}

describe('4.4 PATCH /messages/:message_id', () => {
  test('a move of a whole topic with old parts is refused with where it can be cut, and how much remains', async () => {
    const { alice, ids, move } = await oldTopic();
    expect(await move(alice, ids[2])).toEqual({
      result: 'error',
      msg: expect.any(String),
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: ids[2],
      total_messages_allowed_to_move: 1,
      total_messages_in_topic: 3,
    });
  });

  test('a move from the message on that the refusal named succeeds', async () => {
    const { alice, ids, news, move } = await oldTopic();
    const { first_message_id_allowed_to_move: first } = await move(alice, ids[2]);
    expect(outcomeOf(await move(alice, first, { propagate_mode: 'change_later', ...quiet }))).toBe('ok');
    expect(await idsIn(alice, news, 'moved')).toEqual([ids[2]]);
  });

  test('moderators move what is too old for others', async () => {
    const { moderator, ids, news, move } = await oldTopic();
    expect(outcomeOf(await move(moderator, ids[0]))).toBe('ok');
    expect(await idsIn(moderator, news, 'moved')).toHaveLength(3);
  });

  test('a topic of any age is resolved by who may not move it any more', async () => {
    const { alice, ids, news } = await oldTopic();
    expect(outcomeOf(await alice.patch(`/messages/${ids[0]}`, { topic: '✔ t', ...whole }))).toBe('ok');
    expect((await idsIn(alice, news, '✔ t')).slice(0, 3)).toEqual([...ids]);
  });

  test('the time to move within a channel and the time to move out of it are limits of their own', async () => {
    const { alice, owner, people, ids, move } = await oldTopic();
    const other = await emptyChannel(alice, 'other');
    await permit(people, 'can_move_messages_between_channels_group', 'role:members');
    const limits = {
      move_messages_within_stream_limit_seconds: '"unlimited"',
      move_messages_between_streams_limit_seconds: 7 * day,
    };
    await succeed(owner.patch('/realm', limits));
    expect(outcomeOf(await move(alice, ids[0], { propagate_mode: 'change_one', ...quiet }))).toBe('ok');
    expect(outcomeOf(await alice.patch(`/messages/${ids[1]}`, { stream_id: other }))).not.toBe('ok');
  });

  test.each([
    ['can_move_messages_between_topics_group', () => ({ topic: 'moved' })],
    ['can_move_messages_between_channels_group', (other: number) => ({ stream_id: other })],
  ])('a move without %s is a bad request, and nothing moves', async (permission, changeTo) => {
    const people = await realm();
    const { alice } = people;
    const news = await emptyChannel(alice, 'news');
    const other = await emptyChannel(alice, 'other');
    const id = await say(alice, news, 't');
    await permit(people, permission, 'role:moderators');
    expect(await alice.patch(`/messages/${id}`, changeTo(other))).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await shown(alice, id)).toMatchObject({ subject: 't', stream_id: news });
    await permit(people, permission, 'role:members');
    expect(outcomeOf(await alice.patch(`/messages/${id}`, changeTo(other)))).toBe('ok');
  });

  test('a message that moves to a channel out of reach is deleted for those who stay behind', async () => {
    const { owner, alice, bob } = await realm();
    const news = await emptyChannel(owner, 'news', [owner, alice, bob]);
    const secret = await emptyChannel(owner, 'secret', [owner, alice], { invite_only: true });
    const id = await say(owner, news, 't');
    const [staying, leaving] = [await alice.listen(), await bob.listen()];
    await succeed(owner.patch(`/messages/${id}`, { stream_id: secret, ...whole }));
    const types = ['update_message', 'delete_message'];
    const of = (events: Json[]) => events.map(({ type }) => type).filter((type) => types.includes(type));
    expect(of(await staying.hears())).toEqual(['update_message']);
    expect(of(await leaving.hears())).toEqual(['delete_message']);
    expect(await shown(bob, id)).toBeUndefined();
  });

  test('a move to another channel keeps what was read as read and what was unread as unread', async () => {
    const { alice, bob } = await realm();
    const news = await emptyChannel(alice, 'news', [alice, bob]);
    const other = await emptyChannel(alice, 'other', [alice, bob]);
    const [read, unread] = [await say(alice, news, 't'), await say(alice, news, 't')];
    await succeed(bob.post('/messages/flags', { messages: [read], op: 'add', flag: 'read' }));
    await succeed(alice.patch(`/messages/${read}`, { stream_id: other, ...whole }));
    expect(await shown(bob, read)).toMatchObject({ stream_id: other, flags: ['read'] });
    expect(await shown(bob, unread)).toMatchObject({ stream_id: other, flags: [] });
  });

  test('a topic that moves to another channel as a whole takes along who mutes it', async () => {
    const { alice, bob } = await realm();
    const news = await emptyChannel(alice, 'news', [alice, bob]);
    const other = await emptyChannel(alice, 'other', [alice, bob]);
    const id = await say(alice, news, 't');
    await succeed(bob.post('/user_topics', { stream_id: news, topic: 't', visibility_policy: 1 }));
    await succeed(alice.patch(`/messages/${id}`, { stream_id: other, ...whole }));
    const { user_topics } = await stateOf(bob, 'user_topic');
    expect(user_topics).toMatchObject([{ stream_id: other, topic_name: 't', visibility_policy: 1 }]);
  });

  test('the ids of messages that an event says were moved are in ascending order, with the named one among them', async () => {
    const { alice, bob } = await realm();
    const news = await emptyChannel(alice, 'news', [alice, bob]);
    const ids = [await say(alice, news, 't'), await say(bob, news, 't'), await say(alice, news, 't')];
    const phone = await bob.listen();
    await succeed(alice.patch(`/messages/${ids[1]}`, { topic: 'moved', ...whole }));
    expect(await heardOf(phone, 'update_message')).toMatchObject([
      { message_id: ids[1], message_ids: ids, orig_subject: 't', subject: 'moved' },
    ]);
  });

  test('counts of what can be moved out of a protected history are of messages that the mover can read', async () => {
    const people = await realm();
    const { owner, alice } = people;
    const kind = { invite_only: true, history_public_to_subscribers: false };
    const secret = await emptyChannel(owner, 'secret', [owner], kind);
    await say(owner, secret, 't');
    await succeed(
      owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], principals: [alice.id] }),
    );
    const ids = [await say(owner, secret, 't'), await say(owner, secret, 't')] as const;
    await makeOlder(alice, ids[0], 8 * day);
    expect(await alice.patch(`/messages/${ids[1]}`, { topic: 'moved', ...whole })).toMatchObject({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: ids[1],
      total_messages_allowed_to_move: 1,
      total_messages_in_topic: 2,
    });
  });
});
