import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Params,
  type Person,
  createChannel,
  done,
  realm,
  refused,
  say,
  setSentAt,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import { hearsNothing, listen } from './listen.ts';

const secondsAgo = (seconds: number) => new Date(Date.now() - seconds * 1000);

describe('POST /messages/{message_id}/typing', () => {
  const edit = (by: Person, id: number, op = 'start'): Promise<Json> =>
    by.post(`/messages/${id}/typing`, { op });

  test('tells the people of a direct conversation', async () => {
    const { alice, bob, carol } = await realm();
    const id = await tell(alice, [bob, carol]);
    await succeed(carol.patch('/settings', { receives_typing_notifications: false }));
    const phones = await Promise.all([listen(alice), listen(bob)]);
    for (const op of ['start', 'stop']) {
      expect(await edit(alice, id, op)).toEqual(done);
      for (const phone of phones) {
        expect(await phone.waits()).toEqual([
          {
            id: expect.any(Number),
            type: 'typing_edit_message',
            op,
            sender_id: alice.id,
            message_id: id,
            recipient: { type: 'direct', user_ids: [alice.id, bob.id] },
          },
        ]);
      }
    }
  });

  test('tells the subscribers of a channel', async () => {
    const people = await realm();
    const { alice, bob, carol } = people;
    const stream_id = await createChannel(alice, 'news', [alice, bob]);
    const id = await say(alice, stream_id, '');
    const [phone, outside] = [await listen(bob, {}), await listen(carol)];
    expect(await edit(alice, id)).toEqual(done);
    expect(await phone.waits()).toEqual([
      {
        id: expect.any(Number),
        type: 'typing_edit_message',
        op: 'start',
        sender_id: alice.id,
        message_id: id,
        recipient: { type: 'channel', channel_id: stream_id, topic: 'general chat' },
      },
    ]);
    await hearsNothing(people, carol, outside);
  });

  test('tells of a message in a protected channel only those who have it', async () => {
    const people = await realm();
    const { alice, bob, carol } = people;
    const protectedOne = { invite_only: true, history_public_to_subscribers: false };
    const stream_id = await createChannel(alice, 'news', [alice, bob], protectedOne);
    const id = await say(alice, stream_id);
    await subscribe(alice, 'news', [carol]);
    const [phone, late] = [await listen(bob), await listen(carol)];
    expect(await edit(alice, id)).toEqual(done);
    expect(await phone.waits()).toMatchObject([{ message_id: id }]);
    await hearsNothing(people, carol, late);
  });

  test('is for the one who may edit the message now', async () => {
    const { alice, bob, owner, guest } = await realm();
    const stranger = (await realm()).alice;
    const id = await tell(alice, [bob]);
    expect(await edit(bob, id)).toEqual(refused('You do not have permission to edit this message.'));
    for (const person of [owner, guest, stranger]) {
      expect(await edit(person, id)).toEqual(
        refused('These messages do not exist, or you do not have access to them.'),
      );
    }
    expect(await edit(alice, 2_147_483_647)).toEqual(
      refused('These messages do not exist, or you do not have access to them.'),
    );
    expect(await edit(alice, id, 'dance')).toMatchObject({ code: 'BAD_REQUEST' });

    const set = (settings: Params) => succeed(owner.patch('/realm', settings));
    await set({ allow_message_editing: false });
    expect(await edit(alice, id)).toEqual(refused('This organization does not let people edit messages.'));
    await set({ allow_message_editing: true, message_content_edit_limit_seconds: 60 });
    await setSentAt(alice, id, secondsAgo(79));
    expect(await edit(alice, id)).toEqual(done);
    await setSentAt(alice, id, secondsAgo(81));
    expect(await edit(alice, id)).toEqual(refused('This message is too old for you to edit.'));
    await set({ message_content_edit_limit_seconds: '"unlimited"' });
    expect(await edit(alice, id)).toEqual(done);
    await succeed(alice.patch('/settings', { send_private_typing_notifications: false }));
    expect(await edit(alice, id)).toEqual(
      refused('You have turned off typing notifications for direct messages.'),
    );
  });
});
