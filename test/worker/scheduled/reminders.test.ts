import { describe, expect, test } from 'vitest';

import {
  type Person,
  createChannel,
  deliverDue,
  inSeconds,
  leave,
  realm,
  say,
  succeed,
  tell,
} from '../../support/index.ts';

const remind = async (by: Person, message_id: number, note?: string): Promise<number> =>
  (await succeed(by.post('/reminders', { message_id, note, scheduled_delivery_timestamp: inSeconds(3600) })))
    .reminder_id;

describe('a reminder', () => {
  test('is a message of the notification bot with a link, the note and what the message says now', async () => {
    const { alice, bob } = await realm();
    const plans = await createChannel(alice, 'plans', [alice, bob]);
    const said = await say(bob, plans, 'tea', 'before');
    const id = await remind(alice, said, 'buy milk');
    await succeed(bob.patch(`/messages/${said}`, { content: 'after' }));
    const [phone, other] = [await alice.listen(), await bob.listen()];
    expect(await deliverDue(alice)).toMatchObject({ reminded: 1 });
    const [message, removed, ...more] = await phone.hears();
    expect(message).toMatchObject({
      type: 'message',
      message: { type: 'private', sender_full_name: 'Notification Bot' },
      flags: [],
    });
    for (const part of [`/near/${said}`, 'Bob', 'buy milk', 'after']) {
      expect(message?.message.content).toContain(part);
    }
    expect(message?.message.content).not.toContain('before');
    expect(removed).toMatchObject({ type: 'reminders', op: 'remove', reminder_id: id });
    expect(more).toEqual([]);
    expect(await other.hears()).toEqual([]);
    expect(await deliverDue(alice)).toEqual({});
    expect((await alice.get('/reminders')).reminders).toEqual([]);
  });

  test('says that the message is gone, and nothing of what it said', async () => {
    const { alice, bob, owner } = await realm();
    const room = await createChannel(owner, 'room', [owner, alice], { invite_only: true });
    const hall = await createChannel(bob, 'hall', [bob, alice]);
    const [left, deleted] = [await say(owner, room, 't', 'secret'), await say(bob, hall, 't', 'secret')];
    await remind(alice, left, 'my note');
    await remind(alice, deleted);
    await leave(alice, ['room']);
    await succeed(owner.delete(`/messages/${deleted}`));
    const phone = await alice.listen({ event_types: ['message'] });
    expect(await deliverDue(alice)).toMatchObject({ reminded: 2 });
    const texts = (await phone.hears()).map(({ message }) => message.content);
    expect(texts).toHaveLength(2);
    for (const text of texts) {
      expect(text).toContain('has been deleted');
      expect(text).not.toMatch(/secret|room|hall|near/);
    }
    expect(texts[0]).toContain('my note');
  });

  test('names nothing that its reader may not know, although its sender may know everything', async () => {
    const { alice, owner } = await realm();
    await createChannel(owner, 'hidden', [owner], { invite_only: true });
    const told = await tell(owner, [alice], '```quote\n#**hidden** @**all**\n```\n@**Alice**');
    await remind(alice, told, '#**hidden** @**Bob** `#**hidden**`');
    const phone = await alice.listen({ event_types: ['message'], apply_markdown: true });
    await deliverDue(alice);
    const [{ message, flags } = { message: null, flags: null }] = await phone.hears();
    expect(message.content).not.toMatch(/data-stream-id|href="\/#narrow\/channel/);
    expect(message.content.match(/data-user-id/g), 'but the sender').toHaveLength(1);
    expect(message.content.match(/<blockquote>/g)).toHaveLength(3);
    expect(flags).toEqual([]);
  });

  test('is shortened with its message', async () => {
    const { alice, bob } = await realm();
    await remind(alice, await tell(bob, [alice], '字'.repeat(10_000)), '字'.repeat(1000));
    const phone = await alice.listen({ event_types: ['message'] });
    await deliverDue(alice);
    const [{ message } = { message: null }] = await phone.hears();
    const { length } = [...message.content];
    expect([length > 9000, length <= 10_000]).toEqual([true, true]);
  });
});
