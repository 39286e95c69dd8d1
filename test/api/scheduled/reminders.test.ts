import { describe, expect, test } from 'vitest';

import {
  type Person,
  createChannel,
  done,
  fillSchedule,
  inSeconds,
  outcomeOf,
  realm,
  refused,
  say,
  succeed,
  tell,
} from '../../support/index.ts';

const later = inSeconds(3600);

const remind = async (by: Person, message_id: number, more: object = {}): Promise<number> =>
  (await succeed(by.post('/reminders', { message_id, scheduled_delivery_timestamp: later, ...more })))
    .reminder_id;

describe('reminders', () => {
  test('are kept for their owner, who is told of each, in the order of their times', async () => {
    const { alice, bob } = await realm();
    const plans = await createChannel(alice, 'plans', [alice, bob]);
    const [said, told] = [await say(bob, plans, 'tea', 'secret'), await tell(bob, [alice])];
    const [phone, other] = [await alice.listen(), await bob.listen()];
    const second = await remind(alice, told, { scheduled_delivery_timestamp: later + 1 });
    const first = await remind(alice, said, { note: ' buy *milk* ' });
    const { reminders } = await alice.get('/reminders');
    expect(reminders).toMatchObject([
      {
        reminder_id: first,
        type: 'private',
        to: [alice.id],
        scheduled_delivery_timestamp: later,
        failed: false,
        reminder_target_message_id: said,
      },
      { reminder_id: second, reminder_target_message_id: told },
    ]);
    const [{ content, rendered_content }] = reminders;
    expect(content).toContain(`(#narrow/channel/${plans}-plans/topic/tea/near/${said})`);
    expect(content).toContain('buy *milk*');
    expect(content, 'the message is read when the reminder is due').not.toContain('secret');
    expect(rendered_content).toContain('<em>milk</em>');
    expect(reminders[1].content).toContain(`#narrow/dm/${alice.id},${bob.id}-dm/near/${told}`);
    expect(await phone.hears()).toMatchObject([
      { type: 'reminders', op: 'add', reminders: [reminders[1]] },
      { type: 'reminders', op: 'add', reminders: [reminders[0]] },
    ]);
    expect(await other.hears()).toEqual([]);
    const registered = await alice.post('/register', { fetch_event_types: ['reminders', 'realm'] });
    expect(registered).toMatchObject({ reminders, max_reminder_note_length: 1000 });
    expect(await bob.get('/reminders')).toEqual({ ...done, reminders: [] });
  });

  test('are of messages that one may read, and of times to come', async () => {
    const { alice, bob, carol } = await realm();
    const told = await tell(bob, [carol]);
    const own = await tell(alice, [bob]);
    const outcome = async (params: object) =>
      outcomeOf(
        await alice.post('/reminders', {
          message_id: own,
          scheduled_delivery_timestamp: later,
          ...params,
        }),
      );
    expect(await outcome({ message_id: told })).toBe(
      'These messages do not exist, or you do not have access to them.',
    );
    expect(await outcome({ message_id: 2_000_000_000 })).toBe(
      'These messages do not exist, or you do not have access to them.',
    );
    expect(await outcome({ scheduled_delivery_timestamp: inSeconds(-1) })).toBe(
      'Choose a time in the future.',
    );
    expect(await outcome({ note: '字'.repeat(1001) })).toBe('note can have at most 1000 characters.');
    expect(await outcome({ note: '字'.repeat(1000) })).toBe('ok');
    expect((await alice.get('/reminders')).reminders).toHaveLength(1);
  });

  test('are deleted by their owner alone', async () => {
    const { alice, bob, bot } = await realm();
    const id = await remind(alice, await tell(bob, [alice]));
    for (const by of [bob, bot]) {
      const { status, body } = await by.ask('DELETE', `/reminders/${id}`);
      expect([status, body]).toEqual([404, refused('This reminder does not exist.')]);
    }
    const phone = await alice.listen();
    expect(await alice.delete(`/reminders/${id}`)).toEqual(done);
    expect(await phone.hears()).toMatchObject([{ type: 'reminders', op: 'remove', reminder_id: id }]);
    expect((await alice.ask('DELETE', `/reminders/${id}`)).status).toBe(404);
  });

  test('name nothing that their owner may not know', async () => {
    const { alice, bob, owner } = await realm();
    await createChannel(owner, 'hidden', [owner], { invite_only: true });
    await remind(alice, await tell(bob, [alice]), { note: '#**hidden** @**Bob** @_**Bob** @*x*' });
    const [{ rendered_content }] = (await alice.get('/reminders')).reminders;
    expect(rendered_content).not.toMatch(/data-stream-id|hidden<\/a>/);
    expect(rendered_content.match(/user-mention/g), 'but its sender').toHaveLength(1);
  });

  test('are bounded in number and in bytes', async () => {
    const { alice, bob } = await realm();
    const message_id = await tell(bob, [alice]);
    const outcome = async (by: Person) =>
      outcomeOf(await by.post('/reminders', { message_id, scheduled_delivery_timestamp: later }));
    await fillSchedule(alice, 'reminders', { count: 999 });
    expect(await outcome(alice)).toBe('ok');
    expect(await outcome(alice)).toBe('You can have at most 1000 reminders.');
    await fillSchedule(bob, 'reminders', { count: 1, bytes: 2 * 1024 * 1024 });
    expect(await outcome(bob)).toBe('Your reminders can have at most 2097152 bytes in total.');
  });
});
