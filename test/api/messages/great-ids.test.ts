import { describe, expect, test } from 'vitest';

import {
  type Person,
  getWorld,
  inSeconds,
  deliverDue,
  realm,
  say,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';

/** Lets a realm go on behind an id, as if it had had so many messages. */
async function goOnBehind({ realm: { id } }: Person, messageId: number): Promise<void> {
  const { sql } = await getWorld();
  await sql`update realm_heads set message_id = ${messageId} where realm_id = ${id}`;
}

describe('the ids of messages', () => {
  test('go on past 2^31, whatever is done with them', async () => {
    const { owner, alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    await goOnBehind(alice, 2 ** 31 - 2);
    const phone = await bob.listen({ event_types: ['message'] });
    const [first, second] = [
      await say(alice, 'news', 't', 'one'),
      await say(alice, 'news', 't', '@**Bob** two'),
    ];
    const third = await tell(bob, [alice], 'three');
    expect([first, second, third]).toEqual([2 ** 31 - 1, 2 ** 31, 2 ** 31 + 1]);
    expect((await phone.hears()).map(({ message }) => message.id)).toEqual([first, second, third]);

    const around = { anchor: second, num_before: 5, num_after: 5 };
    const idsIn = async (narrow: object[]) =>
      (await succeed(bob.get('/messages', { ...around, narrow }))).messages.map(
        ({ id }: { id: number }) => id,
      );
    expect(await idsIn([])).toEqual([first, second, third]);
    expect(await idsIn([{ operator: 'id', operand: second }])).toEqual([second]);
    expect(await idsIn([{ operator: 'near', operand: `${second}` }])).toEqual([first, second, third]);
    expect(await idsIn([{ operator: 'with', operand: second }])).toEqual([first, second]);
    expect(await idsIn([{ operator: 'search', operand: 'two' }])).toEqual([second]);
    expect(await idsIn([{ operator: 'is', operand: 'mentioned' }])).toEqual([second]);

    await succeed(bob.post('/messages/flags', { messages: [second], op: 'add', flag: 'starred' }));
    await succeed(bob.post(`/messages/${second}/reactions`, { emoji_name: 'octopus' }));
    await succeed(alice.patch(`/messages/${second}`, { content: '@**Bob** too' }));
    const silent = { send_notification_to_old_thread: false, send_notification_to_new_thread: false };
    await succeed(
      alice.patch(`/messages/${first}`, { topic: 'other', propagate_mode: 'change_all', ...silent }),
    );
    const { message } = await succeed(bob.get(`/messages/${second}`));
    expect(message).toMatchObject({
      id: second,
      subject: 'other',
      reactions: [{ emoji_name: 'octopus' }],
      edit_history: [{ prev_topic: 't' }, { prev_content: '@**Bob** two' }],
    });
    expect(message.flags).toEqual(expect.arrayContaining(['starred', 'mentioned']));
    const state = await succeed(bob.post('/register'));
    expect(state).toMatchObject({
      max_message_id: third,
      starred_messages: [second],
      unread_msgs: { mentions: [second], streams: [{ topic: 'other', unread_message_ids: [first, second] }] },
    });

    await succeed(
      bob.post('/scheduled_messages', {
        type: 'direct',
        to: [alice.id],
        content: 'four',
        scheduled_delivery_timestamp: inSeconds(3600),
      }),
    );
    await deliverDue(bob);
    expect((await succeed(bob.post('/register'))).max_message_id).toBe(third + 1);
    await succeed(owner.delete(`/messages/${second}`));
    expect(await idsIn([])).toEqual([first, third, third + 1]);
  });

  test('end where JSON could not carry them, and what comes then is refused', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    await goOnBehind(alice, Number.MAX_SAFE_INTEGER - 2);
    const phone = await bob.listen({ event_types: ['message'] });
    const [last, next] = [await tell(bob, [alice], '@**Alice**'), await say(bob, 'news', 't', 'plain')];
    expect([last, next]).toEqual([Number.MAX_SAFE_INTEGER - 1, Number.MAX_SAFE_INTEGER]);
    const used = { code: 'BAD_REQUEST', msg: expect.stringContaining('ids are used up') };
    for (const content of ['plain', '@**Alice** not plain']) {
      expect(await bob.post('/messages', { type: 'channel', to: 'news', topic: 't', content })).toMatchObject(
        used,
      );
    }
    const { messages, anchor } = await succeed(
      bob.get('/messages', { anchor: next, num_before: 5, num_after: 5 }),
    );
    expect([anchor, ...messages.map(({ id }: { id: number }) => id)]).toEqual([next, last, next]);
    expect((await phone.hears()).map(({ message }) => message.id)).toEqual([last, next]);
  });

  test('leave a thousand out when another server goes on, which may lack messages that clients have seen', async () => {
    const { alice, bob, realm: home } = await realm();
    const { sql } = await getWorld();
    const before = await tell(alice, [bob], 'before');
    await sql`update realm_heads set term = left(epoch::text, 8) || 'abc' where realm_id = ${home.id}`;
    const after = [await tell(alice, [bob], 'plain'), await tell(alice, [bob], '@**Bob**')];
    expect(after).toEqual([before + 1001, before + 1002]);
    await sql`update realm_heads set term = left(epoch::text, 8) || 'abc' where realm_id = ${home.id}`;
    await succeed(alice.patch(`/messages/${before}`, { content: 'edited' }));
    expect(await tell(alice, [bob], 'later')).toBe(before + 2003);
  });

  test.each(['9007199254740991', '9007199254740993', '99999999999999999999'])(
    'are not those of a message that cannot exist: %s',
    async (id) => {
      const { alice } = await realm();
      await tell(alice, [alice], 'x');
      for (const reply of [
        await alice.get(`/messages/${id}`),
        await alice.delete(`/messages/${id}`),
        await alice.post(`/messages/${id}/reactions`, { emoji_name: 'octopus' }),
        await alice.post('/reminders', { message_id: id, scheduled_delivery_timestamp: inSeconds(60) }),
      ]) {
        expect(reply).toMatchObject({ result: 'error', code: 'BAD_REQUEST' });
      }
      const { messages, found_newest } = await succeed(
        alice.get('/messages', { anchor: id, num_before: 5, num_after: 5 }),
      );
      expect([messages.length, found_newest]).toEqual([1, true]);
    },
  );
});
