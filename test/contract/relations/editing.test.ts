import { createHash } from 'node:crypto';

import { describe, expect, test } from 'vitest';

import {
  type Json,
  emptyChannel,
  linkTo,
  makeOlder,
  outcomeOf,
  permit,
  realm,
  say,
  succeed,
  tell,
  upload,
} from '../../support/index.ts';
import { heardOf, idsIn, shown } from './heard.ts';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A public channel in which Alice, Bob and a moderator are, and what Alice said there. */
async function newsroom() {
  const people = await realm();
  const { alice, bob, moderator } = people;
  const news = await emptyChannel(alice, 'news', [alice, bob, moderator]);
  return { ...people, people, news, id: await say(alice, news, 'lunch', 'one') };
}

const quiet = { send_notification_to_new_thread: false };

describe('4.4 PATCH /messages/:message_id', () => {
  test('a request with a new text and a new channel changes neither', async () => {
    const { alice, id, news } = await newsroom();
    const other = await emptyChannel(alice, 'other');
    const both = await alice.patch(`/messages/${id}`, { content: 'two', stream_id: other });
    expect(both).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
    expect(await shown(alice, id)).toMatchObject({ content: 'one', stream_id: news });
  });

  test.each([
    ['topic', () => 'dinner'],
    ['stream_id', (news: number) => news],
  ])('a direct message takes no %s, and stays what it is', async (name, valueOf) => {
    const { alice, bob, news } = await newsroom();
    const id = await tell(alice, [bob]);
    expect(await alice.patch(`/messages/${id}`, { [name]: valueOf(news) })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect((await shown(bob, id)).type).toBe('private');
  });

  test.each(['change_later', 'change_all'])('a new text alone cannot be propagated by %s', async (mode) => {
    const { alice, id } = await newsroom();
    const edit = { content: 'two', propagate_mode: mode };
    expect(await alice.patch(`/messages/${id}`, edit)).toMatchObject({ code: 'BAD_REQUEST' });
    expect((await shown(alice, id)).content).toBe('one');
  });

  test.each([
    [undefined, [1]],
    ['change_one', [1]],
    ['change_later', [1, 2]],
    ['change_all', [0, 1, 2]],
  ])('propagate_mode %s moves, of three messages whose second is named, those at %j', async (mode, taken) => {
    const { alice, bob, news, id } = await newsroom();
    const ids = [id, await say(bob, news, 'lunch'), await say(alice, news, 'lunch')];
    const move = { topic: 'dinner', propagate_mode: mode, ...quiet };
    await succeed(alice.patch(`/messages/${ids[1]}`, move));
    expect(await idsIn(bob, news, 'dinner')).toEqual(taken.map((at) => ids[at]));
  });

  test('a move leaves a notice in the new topic and none in the old one, unless it is told otherwise', async () => {
    const { alice, bob, news, id } = await newsroom();
    const kept = await say(bob, news, 'lunch');
    await succeed(alice.patch(`/messages/${id}`, { topic: 'dinner' }));
    expect(await idsIn(bob, news, 'dinner')).toHaveLength(2);
    expect(await idsIn(bob, news, 'lunch')).toEqual([kept]);
  });

  test('a move that is to be told in the old topic alone leaves its one notice there', async () => {
    const { alice, bob, news, id } = await newsroom();
    const where = { send_notification_to_old_thread: true, send_notification_to_new_thread: false };
    await succeed(alice.patch(`/messages/${id}`, { topic: 'dinner', ...where }));
    expect(await idsIn(bob, news, 'dinner')).toEqual([id]);
    expect(await idsIn(bob, news, 'lunch')).toHaveLength(1);
  });

  test('a topic that is resolved gets the one notice that says so, also if a notice of a move was asked for', async () => {
    const { alice, bob, news, id } = await newsroom();
    const resolve = { topic: '✔ lunch', propagate_mode: 'change_all', send_notification_to_new_thread: true };
    await succeed(alice.patch(`/messages/${id}`, resolve));
    const [, notice, ...more] = await idsIn(bob, news, '✔ lunch');
    expect(more).toEqual([]);
    expect((await shown(bob, notice ?? 0)).content).toContain('resolved');
  });

  test('the empty topic cannot be resolved', async () => {
    const { alice, news } = await newsroom();
    const id = await say(alice, news, '');
    for (const topic of ['✔ ', '✔', '✔ general chat']) {
      const resolve = { topic, propagate_mode: 'change_all' };
      expect(await alice.patch(`/messages/${id}`, resolve)).toMatchObject({ code: 'BAD_REQUEST' });
    }
    expect((await shown(alice, id)).subject).toBe('');
  });

  test('a message counts as moved after a move, and not after its topic was resolved and unresolved', async () => {
    const { alice, id } = await newsroom();
    const change = (topic: string) =>
      succeed(alice.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all', ...quiet }));
    await change('✔ lunch');
    await change('lunch');
    expect(await shown(alice, id)).not.toHaveProperty('last_moved_timestamp');
    await change('dinner');
    expect(await shown(alice, id)).toHaveProperty('last_moved_timestamp', expect.any(Number));
  });

  test('a message counts as edited after a new text, and not after a move', async () => {
    const { alice, id } = await newsroom();
    await succeed(alice.patch(`/messages/${id}`, { topic: 'dinner', ...quiet }));
    expect(await shown(alice, id)).not.toHaveProperty('last_edit_timestamp');
    await succeed(alice.patch(`/messages/${id}`, { content: 'two' }));
    expect(await shown(alice, id)).toHaveProperty('last_edit_timestamp', expect.any(Number));
  });

  test('the history of a message begins with its newest change, and each entry has what changed alone', async () => {
    const { alice, bob, id } = await newsroom();
    expect(await shown(bob, id)).not.toHaveProperty('edit_history');
    await succeed(alice.patch(`/messages/${id}`, { content: 'two' }));
    await succeed(alice.patch(`/messages/${id}`, { topic: 'dinner', ...quiet }));
    const keys = (await shown(bob, id)).edit_history.map((entry: Json) => Object.keys(entry).toSorted());
    expect(keys).toEqual([
      ['prev_topic', 'timestamp', 'topic', 'user_id'],
      ['prev_content', 'prev_rendered_content', 'timestamp', 'user_id'],
    ]);
  });

  test('where an organization shows no history, no message has one', async () => {
    const { alice, owner, id } = await newsroom();
    await succeed(alice.patch(`/messages/${id}`, { content: 'two', topic: 'dinner', ...quiet }));
    await succeed(owner.patch('/realm', { message_edit_history_visibility_policy: 'none' }));
    expect(await shown(alice, id)).not.toHaveProperty('edit_history');
  });

  test('an edit of a text that was changed meanwhile is refused, and the later text stays', async () => {
    const { alice, id } = await newsroom();
    const edit = (content: string) =>
      alice.patch(`/messages/${id}`, { content, prev_content_sha256: sha256('one') });
    expect(outcomeOf(await edit('two'))).toBe('ok');
    expect(await edit('three')).toMatchObject({ result: 'error' });
    expect((await shown(alice, id)).content).toBe('two');
  });

  test('an edit is accepted up to the organization’s limit and its grace, and refused beyond', async () => {
    const { alice, owner, id } = await newsroom();
    await succeed(owner.patch('/realm', { message_content_edit_limit_seconds: 1000 }));
    const edit = async () =>
      outcomeOf(await alice.patch(`/messages/${id}`, { content: String(Math.random()) }));
    await makeOlder(alice, id, 990);
    expect(await edit()).toBe('ok');
    await makeOlder(alice, id, 40);
    expect(await edit()).not.toBe('ok');
  });

  test('where an organization allows no editing, texts stay and topics still change', async () => {
    const { alice, owner, id } = await newsroom();
    await succeed(owner.patch('/realm', { allow_message_editing: false }));
    expect(await alice.patch(`/messages/${id}`, { content: 'two' })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(outcomeOf(await alice.patch(`/messages/${id}`, { topic: 'dinner' }))).toBe('ok');
  });

  test.each([
    ['owner', false],
    ['moderator', false],
    ['alice', true],
  ] as const)('a text is edited by who wrote it and nobody else: %s %s', async (who, isAuthor) => {
    const { id, people } = await newsroom();
    const reply = await people[who].patch(`/messages/${id}`, { content: 'two' });
    expect(reply.result === 'success').toBe(isAuthor);
  });

  test('an upload is detached when its last message no longer links to it, and only for its owner', async () => {
    const { alice, bob } = await newsroom();
    const [mine, his] = [await upload(alice), await upload(bob)];
    await tell(bob, [alice], linkTo(his));
    const id = await tell(alice, [bob], `${linkTo(mine)} ${linkTo(his)}`);
    const also = await tell(alice, [bob], linkTo(mine));
    const edit = (message: number) => succeed(alice.patch(`/messages/${message}`, { content: 'nothing' }));
    expect((await edit(id)).detached_uploads).toEqual([]);
    const { detached_uploads } = await edit(also);
    expect(detached_uploads).toMatchObject([{ messages: [] }]);
    expect(mine).toContain(detached_uploads[0].path_id);
  });

  test('an edit is heard by those who have the message, and by nobody who joined a protected history later', async () => {
    const { alice, bob, carol, owner } = await realm();
    const kind = { invite_only: true, history_public_to_subscribers: false };
    const secret = await emptyChannel(alice, 'secret', [alice, bob], kind);
    const id = await say(alice, secret);
    await succeed(
      alice.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }], principals: [carol.id] }),
    );
    const phones = await Promise.all([bob, carol, owner].map((one) => one.listen()));
    await succeed(alice.patch(`/messages/${id}`, { content: 'two' }));
    const heard = await Promise.all(phones.map((phone) => heardOf(phone, 'update_message')));
    expect(heard.map((events) => events.length)).toEqual([1, 0, 0]);
  });

  test('a new mention in an edit marks the message for who is mentioned, and a removed one unmarks it', async () => {
    const { alice, bob, id } = await newsroom();
    await succeed(alice.patch(`/messages/${id}`, { content: 'dear @**Bob**' }));
    expect((await shown(bob, id)).flags).toContain('mentioned');
    await succeed(alice.patch(`/messages/${id}`, { content: 'dear all' }));
    expect((await shown(bob, id)).flags).not.toContain('mentioned');
  });

  test('resolving needs its own permission, and no right to move replaces it', async () => {
    const { alice, people, id } = await newsroom();
    await permit(people, 'can_resolve_topics_group', 'role:moderators');
    const change = async (topic: string) =>
      outcomeOf(await alice.patch(`/messages/${id}`, { topic, propagate_mode: 'change_all' }));
    expect(await change('✔ lunch')).not.toBe('ok');
    expect(await change('dinner')).toBe('ok');
  });
});
