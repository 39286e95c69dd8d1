import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import {
  type Json,
  channelId,
  done,
  emptyChannel,
  makeOlder,
  permit,
  realm,
  refused,
  say,
  setAge,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import { newsroom, see } from './newsroom.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

describe('PATCH /messages/{id} with content', () => {
  test('changes what the message says, for everyone, and says who changed what', async () => {
    const { alice, bob, carol, news } = await newsroom();
    const id = await say(alice, 'news', 'lunch', 'first');
    const [phone, stranger] = [await bob.listen(), await carol.listen()];

    const reply = await alice.patch(`/messages/${id}`, { content: '/me eats https://example.com' });

    expect(reply).toEqual({ result: 'success', msg: '', detached_uploads: [] });
    expect(await phone.hears()).toEqual([
      {
        id: expect.any(Number),
        type: 'update_message',
        user_id: alice.id,
        rendering_only: false,
        message_id: id,
        message_ids: [id],
        edit_timestamp: expect.any(Number),
        stream_id: news,
        stream_name: 'news',
        orig_content: 'first',
        orig_rendered_content: '<p>first</p>',
        content: '/me eats https://example.com',
        rendered_content: expect.stringContaining('eats'),
        is_me_message: true,
        flags: [],
      },
    ]);
    expect(await stranger.hears()).toEqual([]);
    expect(await see(bob, id)).toMatchObject({
      content: '/me eats https://example.com',
      is_me_message: true,
      last_edit_timestamp: expect.any(Number),
      edit_history: [
        {
          user_id: alice.id,
          timestamp: expect.any(Number),
          prev_content: 'first',
          prev_rendered_content: '<p>first</p>',
        },
      ],
    });
    expect(await see(bob, id)).not.toHaveProperty('last_moved_timestamp');
    const page = await bob.get('/messages', { anchor: 0, num_after: 9, narrow: [['has', 'link']] });
    expect(page.messages.map((one: Json) => one.id)).toEqual([id]);
  });

  test('reaches those who received the message, where history is protected', async () => {
    const people = await realm();
    const { alice, bob, carol, guest, moderator } = people;
    await subscribe(moderator, 'secret', [alice, bob], {
      invite_only: true,
      history_public_to_subscribers: false,
    });
    const id = await say(alice, 'secret', 'lunch');
    await subscribe(alice, 'secret', [carol]);
    const ears = await Promise.all([bob, carol, guest, people.owner].map((one) => one.listen()));

    expect(await alice.patch(`/messages/${id}`, { content: 'other' })).toMatchObject(done);

    expect((await Promise.all(ears.map((one) => one.hears()))).map((heard) => heard.length)).toEqual([
      1, 0, 0, 0,
    ]);
    expect(await carol.patch(`/messages/${id}`, { content: 'mine' })).toMatchObject(
      refused('These messages do not exist, or you do not have access to them.'),
    );
  });

  test('gives each reader the flags that they have', async () => {
    const { alice, bob, guest } = await newsroom();
    const id = await say(alice, 'news', 'lunch');
    await succeed(guest.post('/messages/flags', { messages: [id], op: 'add', flag: 'read' }));
    await bob.post('/messages/flags', { messages: [id], op: 'add', flag: 'starred' });
    const ears = await Promise.all([alice, bob, guest].map((one) => one.listen()));
    await alice.patch(`/messages/${id}`, { content: 'other, @**Bob**' });
    const flags = await Promise.all(ears.map(async (one) => (await one.hears())[0]?.flags.sort()));
    // Scripts do not read what they send.
    expect(flags).toEqual([[], ['mentioned', 'starred'], ['read']]);
  });

  test('mentions whom it names now, and no one whom it named before', async () => {
    const { alice, bob, carol, guest } = await newsroom();
    const id = await say(alice, 'news', 'lunch', 'dear @**Bob**');
    const ears = await Promise.all([bob, carol, guest].map((one) => one.listen()));
    await alice.patch(`/messages/${id}`, { content: 'dear @**Gus** and @**Carol**' });
    await alice.patch(`/messages/${id}`, { content: 'dear @**all**' });
    const flags = await Promise.all(
      ears.map(async (one) => (await one.hears()).map((event) => event['flags'].toSorted())),
    );
    const wildcard = ['stream_wildcard_mentioned', 'wildcard_mentioned'];
    // Carol is not in the channel: naming her late does not make the message hers.
    expect(flags).toEqual([[[], wildcard], [], [['mentioned'], wildcard]]);
    expect((await see(bob, id)).flags.toSorted()).toEqual(wildcard);
  });

  test('is for direct messages, too, and bears no trace of a channel', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob]);
    const phone = await bob.listen();
    await alice.patch(`/messages/${id}`, { content: 'other' });
    const [event] = await phone.hears();
    expect(event).toMatchObject({ type: 'update_message', message_ids: [id] });
    for (const absent of [
      'stream_id',
      'stream_name',
      'propagate_mode',
      'orig_subject',
      'subject',
      'shared_flags',
    ]) {
      expect(event).not.toHaveProperty(absent);
    }
  });

  test('leaves “(deleted)” where nothing is left, and does nothing where nothing changes', async () => {
    const { alice, bob } = await newsroom();
    const id = await say(alice, 'news', 'lunch', 'same');
    const phone = await bob.listen();
    expect(await alice.patch(`/messages/${id}`, { content: 'same' })).toMatchObject(done);
    expect(await phone.hears()).toEqual([]);
    await alice.patch(`/messages/${id}`, { content: ' \n ' });
    expect(await see(bob, id)).toMatchObject({ content: '(deleted)' });
  });

  test('is refused when the client has not seen what is there', async () => {
    const { alice } = await newsroom();
    const id = await say(alice, 'news', 'lunch', 'one');
    const edit = (content: string, seen: string) =>
      alice.patch(`/messages/${id}`, { content, prev_content_sha256: sha256(seen) });
    expect(await edit('two', 'one')).toMatchObject(done);
    expect(await edit('three', 'one')).toEqual({
      result: 'error',
      code: 'EXPECTATION_MISMATCH',
      msg: expect.any(String),
      field_name: 'prev_content_sha256',
    });
    expect(
      await alice.patch(`/messages/${id}`, { topic: 'dinner', prev_content_sha256: sha256('one') }),
    ).toMatchObject({ code: 'EXPECTATION_MISMATCH' });
    expect(await see(alice, id)).toMatchObject({ content: 'two', subject: 'lunch' });
  });

  test('is for its sender alone, and for a while', async () => {
    const all = await newsroom();
    const { owner, alice } = all;
    const id = await say(alice, 'news', 'lunch', 'one');
    for (const by of [all.owner, all.admin, all.bob, all.guest]) {
      expect(await by.patch(`/messages/${id}`, { content: 'mine' })).toMatchObject(
        refused('You do not have permission to edit this message.'),
      );
    }
    const edit = () => alice.patch(`/messages/${id}`, { content: `${Math.random()}` });
    // There are twenty seconds of grace.
    await setAge(alice, id, 601);
    expect(await edit()).toMatchObject(done);
    await setAge(alice, id, 621);
    expect(await edit()).toMatchObject(refused('This message is too old for you to edit.'));
    await succeed(owner.patch('/realm', { message_content_edit_limit_seconds: '"unlimited"' }));
    expect(await edit()).toMatchObject(done);
    await succeed(owner.patch('/realm', { allow_message_editing: false }));
    expect(await edit()).toMatchObject(refused('This organization does not let people edit messages.'));
  });

  test('is not for owners of bots, and nobody is exempt from the limit', async () => {
    const { bot, owner } = await newsroom();
    await subscribe(owner, 'news', [bot, owner]);
    const id = await say(bot, 'news', 'lunch');
    expect(await owner.patch(`/messages/${id}`, { content: 'mine' })).toMatchObject(
      refused('You do not have permission to edit this message.'),
    );
    const own = await say(owner, 'news', 'lunch');
    await makeOlder(owner, own, 700);
    expect(await owner.patch(`/messages/${own}`, { content: 'x' })).toMatchObject(
      refused('This message is too old for you to edit.'),
    );
  });

  test('is refused where it makes no sense', async () => {
    const { alice, bob, news } = await newsroom();
    const [inChannel, direct] = [await say(alice, 'news', 'lunch'), await tell(alice, [bob])];
    const edit = (id: number, params: object) => alice.patch(`/messages/${id}`, { ...params });
    expect(await edit(inChannel, {})).toMatchObject(refused('There is nothing to change.'));
    expect(await edit(inChannel, { topic: ' lunch ' })).toMatchObject(refused('There is nothing to change.'));
    expect(await edit(direct, { topic: 'x' })).toMatchObject(refused('A direct message has no topic.'));
    expect(await edit(direct, { stream_id: news })).toMatchObject(
      refused('A direct message cannot be moved to a channel.'),
    );
    expect(await edit(inChannel, { content: 'x', propagate_mode: 'change_all' })).toMatchObject(
      refused("'propagate_mode' needs a new topic or channel."),
    );
    const other = await emptyChannel(alice, 'other');
    expect(await edit(inChannel, { content: 'x', stream_id: other })).toMatchObject(
      refused('Edit the text of a message and its channel in separate requests.'),
    );
    const present = await channelId(alice, 'news');
    expect(await edit(inChannel, { content: 'x', stream_id: present })).toMatchObject(
      refused('Edit the text of a message and its channel in separate requests.'),
    );
    const poll = await say(alice, 'news', 'lunch', '/poll What?');
    expect(await edit(poll, { content: 'x' })).toMatchObject(
      refused('A message with a poll, to-do list or form cannot be edited.'),
    );
    expect(await edit(2_000_000_000, { content: 'x' })).toMatchObject(
      refused('These messages do not exist, or you do not have access to them.'),
    );
    expect(await edit(inChannel, { topic: 'a', subject: 'b' })).toMatchObject({
      code: 'REQUEST_CONFUSING_VAR',
    });
  });

  test('does not reach into other realms, or where nothing changes any more', async () => {
    const { owner, alice, news } = await newsroom();
    const id = await say(alice, 'news', 'lunch');
    const { alice: other } = await realm();
    expect(await other.patch(`/messages/${id}`, { content: 'x' })).toMatchObject(
      refused('These messages do not exist, or you do not have access to them.'),
    );
    await succeed(owner.delete(`/streams/${news}`));
    expect(await alice.patch(`/messages/${id}`, { content: 'x' })).toMatchObject(
      refused('These messages do not exist, or you do not have access to them.'),
    );
  });
});

describe('the history of a message', () => {
  test('is told whole: every text, every place, by whom, from the first on', async () => {
    const { alice, bob, admin, news } = await newsroom();
    const id = await say(alice, 'news', 'lunch', 'one\n<b>');
    await alice.patch(`/messages/${id}`, { content: 'two', topic: 'dinner' });
    await subscribe(admin, 'food', [alice, admin]);
    const food = await emptyChannel(admin, 'food');
    await admin.patch(`/messages/${id}`, { stream_id: food });

    const { message_history } = await alice.get(`/messages/${id}/history`);
    expect(message_history).toEqual([
      {
        timestamp: expect.any(Number),
        user_id: alice.id,
        topic: 'lunch',
        content: 'one\n<b>',
        rendered_content: expect.any(String),
      },
      {
        timestamp: expect.any(Number),
        user_id: alice.id,
        topic: 'dinner',
        prev_topic: 'lunch',
        content: 'two',
        rendered_content: '<p>two</p>',
        prev_content: 'one\n<b>',
        prev_rendered_content: expect.any(String),
        content_html_diff: expect.stringMatching(
          /^<p><span class="highlight_text_deleted">one.*&lt;b&gt;.*<\/p>/s,
        ),
      },
      {
        timestamp: expect.any(Number),
        user_id: admin.id,
        topic: 'dinner',
        prev_stream: news,
        stream: food,
        content: 'two',
        rendered_content: '<p>two</p>',
      },
    ]);
    expect(await see(alice, id)).toMatchObject({
      edit_history: [
        { user_id: admin.id, prev_stream: news, stream: food },
        { user_id: alice.id, prev_content: 'one\n<b>', prev_topic: 'lunch', topic: 'dinner' },
      ],
      last_moved_timestamp: expect.any(Number),
    });
    expect(await bob.get('/messages/2000000000/history')).toMatchObject(
      refused('These messages do not exist, or you do not have access to them.'),
    );
  });

  test('shows as much as the organization wants to', async () => {
    const { alice, owner } = await newsroom();
    const id = await say(alice, 'news', 'lunch', 'one');
    await alice.patch(`/messages/${id}`, { content: 'two' });
    await alice.patch(`/messages/${id}`, { content: 'three', topic: '' });

    await succeed(owner.patch('/realm', { message_edit_history_visibility_policy: 'moves' }));
    expect((await alice.get(`/messages/${id}/history`)).message_history).toEqual([
      {
        timestamp: expect.any(Number),
        user_id: alice.id,
        topic: 'lunch',
        content: 'three',
        rendered_content: '<p>three</p>',
      },
      {
        timestamp: expect.any(Number),
        user_id: alice.id,
        topic: 'general chat',
        prev_topic: 'lunch',
        content: 'three',
        rendered_content: '<p>three</p>',
      },
    ]);
    expect((await see(alice, id)).edit_history).toEqual([
      { user_id: alice.id, timestamp: expect.any(Number), prev_topic: 'lunch', topic: '' },
    ]);

    await succeed(owner.patch('/realm', { message_edit_history_visibility_policy: 'none' }));
    expect(await alice.get(`/messages/${id}/history`)).toMatchObject(
      refused('This organization does not show the edit history of messages.'),
    );
    const shown = await see(alice, id);
    expect(shown).not.toHaveProperty('edit_history');
    expect(shown).toMatchObject({ last_edit_timestamp: expect.any(Number) });
  });

  test('tells a change of very many words as a replacement, and does not look for what is common', async () => {
    const { alice } = await newsroom();
    const words = (seed: number) =>
      Array.from({ length: 1600 }, (_, index) => ((index * seed) % 9973).toString(36)).join(' ');
    const id = await say(alice, 'news', 'lunch', words(7919));
    await alice.patch(`/messages/${id}`, { content: words(4129) });
    const { message_history } = await succeed(alice.get(`/messages/${id}/history`));
    const diff: string = message_history[1].content_html_diff;
    expect(diff.match(/highlight_text_\w+/g)).toEqual(['highlight_text_deleted', 'highlight_text_inserted']);
  });
});

test('a holder of a permission of the channel may do there what the organization forbids', async () => {
  const { alice, people, news } = await newsroom();
  const id = await say(alice, 'news', 'lunch');
  await permit(people, 'can_move_messages_between_topics_group', 'role:nobody');
  expect(await alice.patch(`/messages/${id}`, { topic: 'dinner' })).toMatchObject(
    refused('You do not have permission to edit this message.'),
  );
  await permit(people, 'can_move_messages_within_channel_group', 'role:members', news);
  expect(await alice.patch(`/messages/${id}`, { topic: 'dinner' })).toMatchObject(done);
});
