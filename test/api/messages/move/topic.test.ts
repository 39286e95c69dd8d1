import { describe, expect, test } from 'vitest';

import {
  type Json,
  done,
  makeOlder,
  movesOf,
  newest,
  permit,
  refused,
  say,
  setAge,
  setTopicsPolicy,
  succeed,
  versionsOf,
} from '../../../support/index.ts';
import { idsIn, see } from '../newsroom.ts';
import { all, topicWithMessages, move, quiet } from './topic-with-messages.ts';

describe('moving to another topic', () => {
  test.each([
    ['change_one', [1]],
    ['change_later', [1, 2]],
    ['change_all', [0, 1, 2]],
  ] as const)('%s takes along what it says, in one event', async (propagate_mode, taken) => {
    const { alice, bob, news, ids } = await topicWithMessages();
    const moved = taken.map((index) => ids[index]);
    const phone = await bob.listen();
    expect(await move(alice, ids[1], { topic: 'dinner', propagate_mode, ...quiet })).toMatchObject(done);

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
    const { alice, ids } = await topicWithMessages();
    const before = await versionsOf(alice, ids);
    await move(alice, ids[0], { topic: 'dinner', ...all, ...quiet });
    expect(await versionsOf(alice, ids)).toEqual(before);
    expect(await movesOf(alice, ids[0] ?? 0)).toEqual([`{[${ids[0]},${(ids.at(-1) ?? 0) + 1})}`]);
  });

  test('joins the messages that are there, under the name that they have', async () => {
    const { alice, bob, news, ids } = await topicWithMessages();
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
    const { alice, bob, news, ids } = await topicWithMessages();
    const phone = await bob.listen();
    await move(alice, ids[1], { topic: 'LUNCH', ...all, ...quiet });
    expect(await phone.hears()).toMatchObject([
      { orig_subject: 'lunch', subject: 'LUNCH', message_ids: ids, propagate_mode: 'change_all' },
    ]);
    expect(await see(bob, ids[2] ?? 0)).toMatchObject({ subject: 'LUNCH' });
    expect(await idsIn(bob, news, 'lunch')).toEqual(ids);
  });

  test('spells a topic otherwise for some of its messages, which stay in it', async () => {
    const { alice, bob, news, ids } = await topicWithMessages();
    const phone = await bob.listen();
    const spellings = async () =>
      (await Promise.all(ids.map((id) => see(bob, id)))).map(({ subject }) => subject);
    expect(await move(alice, ids[1], { topic: 'LUNCH', ...quiet })).toMatchObject(done);
    expect(await spellings()).toEqual(['lunch', 'LUNCH', 'lunch']);
    expect(await move(alice, ids[1], { topic: 'LUNCH', ...quiet })).toMatchObject(
      refused('There is nothing to change.'),
    );
    await move(alice, ids[1], { topic: 'Lunch', propagate_mode: 'change_later', ...quiet });
    expect(await spellings()).toEqual(['lunch', 'Lunch', 'Lunch']);
    await move(alice, ids[2], { topic: 'lunch', ...all, ...quiet });
    expect(await spellings()).toEqual(['lunch', 'lunch', 'lunch']);
    expect(await phone.hears()).toMatchObject([
      { orig_subject: 'lunch', subject: 'LUNCH', message_ids: [ids[1]], propagate_mode: 'change_one' },
      { orig_subject: 'LUNCH', subject: 'Lunch', message_ids: ids.slice(1), propagate_mode: 'change_later' },
      { orig_subject: 'Lunch', subject: 'lunch', message_ids: ids, propagate_mode: 'change_all' },
    ]);
    expect(await idsIn(bob, news, 'LUNCH')).toEqual(ids);
    const { message_history } = await alice.get(`/messages/${ids[1]}/history`);
    expect(message_history.map(({ topic }: Json) => topic)).toEqual(['lunch', 'LUNCH', 'Lunch', 'lunch']);
  });

  test('moves back and forth, and into a topic that somebody only follows', async () => {
    const { alice, bob, news, ids } = await topicWithMessages();
    await bob.post('/user_topics', { stream_id: news, topic: 'supper', visibility_policy: 3 });
    for (const topic of ['dinner', 'lunch', 'supper', 'lunch']) {
      expect(await move(alice, ids[0], { topic, ...all, ...quiet })).toMatchObject(done);
      expect(await idsIn(bob, news, topic)).toEqual(ids);
    }
  });

  test('sends to the empty topic by any of its names, unless the channel wants topics', async () => {
    const { alice, bob, owner, news, ids } = await topicWithMessages();
    const [old, modern] = [await bob.listen(), await bob.listen({ client_capabilities: newest })];
    await move(alice, ids[0], { topic: 'general chat', ...all, ...quiet });
    expect(await old.hears()).toMatchObject([{ subject: 'general chat' }]);
    expect(await modern.hears()).toMatchObject([{ subject: '' }]);
    await move(alice, ids[0], { topic: 'x', ...all, ...quiet });
    expect(await old.hears()).toMatchObject([{ orig_subject: 'general chat' }]);
    await succeed(owner.patch('/realm', { topics_policy: 'disable_empty_topic' }));
    expect(await move(alice, ids[0], { topic: '', ...all })).toMatchObject({
      code: 'BAD_REQUEST',
      empty_topic_display_name: 'general chat',
    });
    await setTopicsPolicy(news, 'empty_topic_only');
    expect(await move(alice, ids[0], { topic: 'y', ...all })).toMatchObject({
      code: 'BAD_REQUEST',
      empty_topic_display_name: 'general chat',
    });
  });

  test('changes content and topic in one event', async () => {
    const { alice, bob, ids } = await topicWithMessages();
    const phone = await bob.listen();
    await move(alice, ids[0], { topic: 'dinner', content: 'soup', ...all, ...quiet });
    expect(await phone.hears()).toMatchObject([
      { message_id: ids[0], message_ids: ids, content: 'soup', orig_content: 'hello', subject: 'dinner' },
    ]);
    const { edit_history } = await see(bob, ids[0] ?? 0);
    expect(edit_history).toMatchObject([{ prev_content: 'hello', prev_topic: 'lunch', topic: 'dinner' }]);
  });

  test('is for those who may, and for a week, except for moderators', async () => {
    const { owner, alice, moderator, guest, carol, people, ids } = await topicWithMessages();
    const [id = 0] = ids;
    const topic = () => ({ topic: `${Math.random()}`, ...quiet });
    expect(await move(guest, id, topic())).toMatchObject(done);
    expect(await move(carol, id, topic())).toMatchObject(done);
    await permit(people, 'can_move_messages_between_topics_group', 'role:members');
    expect(await move(guest, id, topic())).toMatchObject(
      refused('You do not have permission to edit this message.'),
    );
    // There are twenty seconds of grace.
    await setAge(alice, id, 604_800 + 1);
    expect(await move(alice, id, topic())).toMatchObject(done);
    await setAge(alice, id, 604_800 + 21);
    expect(await move(alice, id, topic())).toMatchObject({
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      first_message_id_allowed_to_move: null,
      total_messages_in_topic: 1,
      total_messages_allowed_to_move: 0,
    });
    expect(await move(moderator, id, topic())).toMatchObject(done);
    await succeed(owner.patch('/realm', { move_messages_within_stream_limit_seconds: '"unlimited"' }));
    expect(await move(alice, id, topic())).toMatchObject(done);
  });

  test('says where a topic can be cut when parts of it are too old to move', async () => {
    const { bob, moderator, ids } = await topicWithMessages();
    for (const id of ids.slice(0, 2)) await makeOlder(bob, id, 700_000);
    const change = { topic: 'dinner', ...all, ...quiet };
    expect(await move(bob, ids[2], change)).toEqual({
      result: 'error',
      code: 'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
      msg: expect.any(String),
      first_message_id_allowed_to_move: ids[2],
      total_messages_in_topic: 3,
      total_messages_allowed_to_move: 1,
    });
    expect(await move(bob, ids[2], { ...change, propagate_mode: 'change_later' })).toMatchObject(done);
    expect(await move(moderator, ids[0], change)).toMatchObject(done);
  });

  test('refuses what no topic can be called', async () => {
    const { alice, ids } = await topicWithMessages();
    expect(await move(alice, ids[0], { topic: 'a\u0007b' })).toMatchObject({ code: 'BAD_REQUEST' });
    for (const topic of ['✔', '✔ general chat']) {
      expect(await move(alice, ids[0], { topic, ...all })).toMatchObject(
        refused('General chat cannot be marked as resolved, because it has no name.'),
      );
    }
  });
});
