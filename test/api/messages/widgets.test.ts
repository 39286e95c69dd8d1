import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  emptyChannel,
  groupId,
  realm,
  refused,
  say,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import { see } from './newsroom.ts';

const poll = '/poll Lunch?\nSoup\n- Bread\n\n * Salad';
const todo = '/todo Chores\nDishes: today: or tomorrow\n* Windows';

const pollWidget = {
  widget_type: 'poll',
  extra_data: { question: 'Lunch?', options: ['Soup', 'Bread', 'Salad'] },
};

const vote = { type: 'vote', key: 'canned,0', vote: 1 };

const add = (by: Person, message_id: number, content: unknown, msg_type = 'widget'): Promise<Json> =>
  by.post('/submessage', {
    message_id,
    msg_type,
    content: typeof content === 'string' ? content : JSON.stringify(content),
  });

const widgetsOf = async (who: Person, id: number): Promise<Json[]> =>
  (await see(who, id)).submessages.map(({ content }: Json) => JSON.parse(content));

describe('a message that asks for a widget', () => {
  test.each([
    ['a poll', poll, pollWidget],
    ['a poll without options', '/poll Lunch?', { extra_data: { question: 'Lunch?', options: [] } }],
    ['a poll without a question', '/poll\nSoup', { extra_data: { question: '', options: ['Soup'] } }],
    ['nothing but a poll', '/poll', { extra_data: { question: '', options: [] } }],
    [
      'a list',
      todo,
      {
        widget_type: 'todo',
        extra_data: {
          task_list_title: 'Chores',
          tasks: [
            { task: 'Dishes', desc: 'today: or tomorrow' },
            { task: 'Windows', desc: '' },
          ],
        },
      },
    ],
  ])('is %s', async (_, content, widget) => {
    const { alice, bob } = await realm();
    const phone = await bob.listen({ event_types: ['message'] });
    const id = await tell(alice, [bob], content);
    const submessages = [
      {
        id: expect.any(Number),
        message_id: id,
        sender_id: alice.id,
        msg_type: 'widget',
        content: expect.any(String),
      },
    ];
    const message = await see(bob, id);
    expect(message).toMatchObject({ content, submessages });
    expect(await widgetsOf(bob, id)).toMatchObject([widget]);
    expect(await phone.hears()).toMatchObject([{ message: { id, submessages: message.submessages } }]);
  });

  test.each(['/polls', '/pollen', ' /poll', 'a /poll', '/me /poll', '/todos', '/dark', '/Poll x'])(
    'is none where it says %j',
    async (content) => {
      const { alice, bob } = await realm();
      expect(await widgetsOf(bob, await tell(alice, [bob], content))).toEqual([]);
    },
  );

  test('may name people and files like any other', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob], `/poll @**${bob.name}**, what?\nSoup`);
    expect((await see(bob, id)).flags).toEqual(['mentioned']);
    expect(await widgetsOf(bob, id)).toHaveLength(1);
  });

  test('is one message, however often its client tries', async () => {
    const { alice, bob } = await realm();
    const { queueId } = await alice.listen();
    const params = { type: 'direct', to: [bob.id], content: poll, queue_id: queueId, local_id: '1' };
    const { id } = await succeed(alice.post('/messages', params));
    expect(await alice.post('/messages', params)).toMatchObject({ id });
    expect(await widgetsOf(bob, Number(id))).toHaveLength(1);
  });

  test('is shown to its readers with what was added, in order', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob], poll);
    const option = { type: 'new_option', idx: 1, option: 'Nothing' };
    await succeed(add(bob, id, vote));
    await succeed(add(alice, id, option));
    await succeed(add(bob, id, { ...vote, vote: -1 }));
    expect(await widgetsOf(alice, id)).toEqual([pollWidget, vote, option, { ...vote, vote: -1 }]);
    const { messages } = await bob.get('/messages', { anchor: 'newest', num_before: 5 });
    expect(messages[0].submessages).toEqual((await see(alice, id)).submessages);
  });

  test('is one to guests who may not know whose it is, too', async () => {
    const { owner, alice, bob, guest } = await realm();
    await subscribe(bob, 'news', [bob, guest]);
    const members = await groupId(owner, 'role:members');
    await succeed(owner.patch('/realm', { can_access_all_users_group: { new: members } }));
    const phone = await guest.listen({ event_types: ['message'] });
    const id = await say(alice, 'news', 't', poll);
    const [{ message }] = (await phone.hears()) as Json[];
    expect(message.sender_full_name).not.toBe(alice.name);
    expect(message.submessages).toEqual((await see(bob, id)).submessages);
    expect(message.submessages).toHaveLength(1);
  });

  test('goes with all that was added when it is deleted', async () => {
    const { alice, bob, owner } = await realm();
    const id = await tell(alice, [bob, owner], poll);
    await succeed(add(bob, id, vote));
    await succeed(owner.delete(`/messages/${id}`));
    expect(await add(bob, id, vote)).toMatchObject(
      refused('These messages do not exist, or you do not have access to them.'),
    );
  });

  test('cannot be changed, and can be moved', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const id = await say(alice, 'news', 'lunch', poll);
    expect(await alice.patch(`/messages/${id}`, { content: 'x' })).toMatchObject(
      refused('A message with a poll, to-do list or form cannot be edited.'),
    );
    await succeed(alice.patch(`/messages/${id}`, { topic: 'dinner' }));
    expect(await widgetsOf(bob, id)).toEqual([pollWidget]);
    // What looks like one and is none is text.
    const text = await say(alice, 'news', 'lunch', 'x');
    await succeed(alice.patch(`/messages/${text}`, { content: poll }));
    await succeed(alice.patch(`/messages/${text}`, { content: 'x' }));
  });
});

describe('a program that sends a widget', () => {
  const form = {
    widget_type: 'zform',
    extra_data: {
      type: 'choices',
      heading: 'What now?',
      choices: [{ short_name: 'A', long_name: 'Apples', reply: 'apples' }],
    },
  };
  const send = (by: Person, to: Person, widget_content: unknown, content = 'What now?'): Promise<Json> =>
    by.post('/messages', { type: 'direct', to: [to.id], content, widget_content });

  test('offers choices', async () => {
    const { bot, alice } = await realm();
    const { id } = await succeed(send(bot, alice, form, poll));
    expect(await widgetsOf(alice, Number(id))).toEqual([form]);
    expect(await bot.patch(`/messages/${Number(id)}`, { content: 'x' })).toMatchObject(
      refused('A message with a poll, to-do list or form cannot be edited.'),
    );
  });

  test.each([
    ['no JSON', '{'],
    ['no widget', []],
    ['another widget', { ...form, widget_type: 'poll' }],
    ['no data', { widget_type: 'zform' }],
    ['no choices', { ...form, extra_data: { ...form.extra_data, type: 'text' } }],
    ['half a choice', { ...form, extra_data: { ...form.extra_data, choices: [{ short_name: 'A' }] } }],
  ])('is refused what is %s', async (_, widget) => {
    const { bot, alice } = await realm();
    const msg = expect.stringMatching(/^widget_content /);
    expect(await send(bot, alice, widget)).toMatchObject({ code: 'BAD_REQUEST', msg });
  });
});

describe('POST /submessage', () => {
  test('tells whoever may see the message, and no one else', async () => {
    const { alice, bob, carol, guest, admin } = await realm();
    await subscribe(alice, 'secret', [alice, bob, guest], { invite_only: true });
    const id = await say(alice, 'secret', 't', poll);
    const phones = await Promise.all(
      [alice, bob, guest, carol, admin].map((person) => person.listen({ event_types: ['submessage'] })),
    );
    await succeed(add(guest, id, vote));
    const told = {
      id: expect.any(Number),
      type: 'submessage',
      message_id: id,
      submessage_id: expect.any(Number),
      sender_id: guest.id,
      msg_type: 'widget',
      content: JSON.stringify(vote),
    };
    const heard = await Promise.all(phones.map((phone) => phone.hears()));
    expect(heard).toEqual([[told], [told], [told], [], []]);
    for (const stranger of [carol, admin]) {
      expect(await add(stranger, id, vote)).toMatchObject(
        refused('These messages do not exist, or you do not have access to them.'),
      );
    }
  });

  test('is open to whoever may read the history of a public channel', async () => {
    const { alice, carol, guest } = await realm();
    await subscribe(alice, 'news', [alice]);
    const id = await say(alice, 'news', 't', poll);
    await succeed(add(carol, id, vote));
    expect(await add(guest, id, vote)).toMatchObject(
      refused('These messages do not exist, or you do not have access to them.'),
    );
    expect(await widgetsOf(alice, id)).toHaveLength(2);
  });

  test('counts as taking part in the topic', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    await succeed(bob.patch('/settings', { automatically_follow_topics_policy: 1 }));
    const id = await say(alice, 'news', 't', poll);
    const phone = await bob.listen({ event_types: ['user_topic', 'submessage'] });
    await succeed(add(bob, id, vote));
    expect(await phone.hears()).toMatchObject([
      { type: 'user_topic', topic_name: 't', visibility_policy: 3 },
      { type: 'submessage' },
    ]);
  });

  test('is for the author alone where nothing is attached yet', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob], 'no widget');
    expect(await add(bob, id, vote)).toMatchObject(refused('Nothing can be added to this message.'));
    await succeed(add(alice, id, { anything: 1 }, 'whatever'));
    await succeed(add(bob, id, [2], 'whatever'));
    expect(await widgetsOf(bob, id)).toEqual([{ anything: 1 }, [2]]);
  });

  test('takes JSON only', async () => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob], poll);
    expect(await add(alice, id, '{')).toMatchObject(refused('The content of a submessage must be JSON.'));
    expect(await add(alice, id, 'x'.repeat(10_001))).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await add(alice, id, vote, 'x'.repeat(101))).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test.each([
    ['poll', { type: 'new_option', idx: 1000, option: 'x' }],
    ['poll', { type: 'vote', key: '1,0', vote: -1 }],
    ['todo', { type: 'new_task', key: 0, task: 'x', desc: '', completed: false }],
    ['todo', { type: 'strike', key: '0,canned' }],
  ])('takes from any reader of a %s %o', async (kind, update) => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob], `/${kind} x`);
    await succeed(add(bob, id, update));
    expect((await widgetsOf(alice, id))[1]).toEqual(update);
  });

  test.each([
    ['poll', { type: 'question', question: 'x' }, 'Only the author can change the question.'],
    ['todo', { type: 'new_task_list_title', title: 'x' }, 'Only the author can change the title.'],
  ])('takes from the author of a %s alone %o', async (kind, update, msg) => {
    const { alice, bob, owner } = await realm();
    const id = await tell(alice, [bob, owner], `/${kind} x`);
    for (const other of [bob, owner]) expect(await add(other, id, update)).toMatchObject(refused(msg));
    await succeed(add(alice, id, update));
  });

  test.each([
    ['poll', { type: 'strike', key: 'x' }, /^A poll widget has no change of the type .strike.\.$/],
    ['todo', { type: 'vote', key: 'x', vote: 1 }, /^A todo widget has no change of the type .vote.\.$/],
    ['poll', { type: 'constructor' }, /^A poll widget has no change of the type .constructor.\.$/],
    ['poll', {}, /type/],
    ['poll', [], /type/],
    ['poll', 1, /type/],
    ['poll', { ...vote, vote: 2 }, /vote/],
    ['poll', { ...vote, key: 1 }, /key/],
    ['poll', { ...vote, more: 1 }, /vote/],
    ['poll', { type: 'new_option', idx: 1001, option: 'x' }, /idx/],
    ['poll', { type: 'new_option', idx: -1, option: 'x' }, /idx/],
    ['poll', { type: 'new_option', idx: 1.5, option: 'x' }, /idx/],
    ['poll', { type: 'new_option', idx: 1 }, /option/],
    ['poll', { type: 'question', question: 1 }, /question/],
    ['todo', { type: 'new_task', key: '0', task: 'x', desc: '', completed: false }, /key/],
    ['todo', { type: 'new_task', key: 0, task: 'x', desc: '' }, /completed/],
    ['todo', { type: 'strike', key: 0 }, /key/],
    ['todo', { type: 'new_task_list_title', title: null }, /title/],
  ])('refuses for a %s %o', async (kind, update, text) => {
    const { alice, bob } = await realm();
    const id = await tell(alice, [bob], `/${kind} x`);
    const msg = expect.stringMatching(text);
    expect(await add(alice, id, update)).toMatchObject({ code: 'BAD_REQUEST', msg });
    expect(await widgetsOf(bob, id)).toHaveLength(1);
  });

  test('knows nothing of messages of another organization, or in an archived channel', async () => {
    const [{ alice, owner }, { alice: stranger }] = [await realm(), await realm()];
    const channelId = await emptyChannel(alice, 'news');
    const id = await say(alice, 'news', 't', poll);
    expect(await add(stranger, id, vote)).toMatchObject(
      refused('These messages do not exist, or you do not have access to them.'),
    );
    expect(await add(alice, 2_147_483_647, vote)).toMatchObject(
      refused('These messages do not exist, or you do not have access to them.'),
    );
    await succeed(owner.delete(`/streams/${channelId}`));
    expect(await add(alice, id, vote)).toMatchObject(
      refused('These messages do not exist, or you do not have access to them.'),
    );
  });

  test('numbers what comes at once as the log tells of it', async () => {
    const { alice, bob, carol, admin } = await realm();
    const people = [alice, bob, carol, admin];
    const id = await tell(alice, [bob, carol, admin], poll);
    const phone = await bob.listen({ event_types: ['submessage'] });
    await Promise.all(
      people.flatMap((person) => [1, -1].map((one) => succeed(add(person, id, { ...vote, vote: one })))),
    );
    const heard = (await phone.hears()).map((event) => event['submessage_id']);
    const [, ...shown] = (await see(alice, id)).submessages.map((one: Json) => one.id);
    expect(heard).toHaveLength(8);
    expect(heard).toEqual(shown);
  });
});
