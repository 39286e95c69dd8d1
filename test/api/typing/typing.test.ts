import { describe, expect, test } from 'vitest';

import {
  type Person,
  countRows,
  createChannel,
  done,
  headOf,
  permit,
  realm,
  refused,
  subscribe,
  succeed,
  tell,
} from '../../support/index.ts';
import { hearsNothing, listen, present, type } from './listen.ts';

describe('POST /typing', () => {
  test('tells everyone in a direct conversation, on all of their devices', async () => {
    const { alice, bob, carol } = await realm();
    const phones = await Promise.all([alice, bob, carol].map((person) => listen(person)));
    for (const op of ['start', 'stop']) {
      expect(await type(alice, op, { to: [carol.id, bob.id] })).toEqual(done);
      for (const phone of phones) {
        expect(await phone.waits()).toEqual([
          {
            id: expect.any(Number),
            type: 'typing',
            op,
            message_type: 'direct',
            sender: present(alice),
            recipients: [alice, bob, carol].map(present),
          },
        ]);
      }
    }
  });

  test('touches neither the log nor any row', async () => {
    const { alice, bob, realm: home } = await realm();
    const id = await createChannel(alice, 'news', [alice, bob]);
    const count = async () => {
      const { conversations, topics } = await countRows();
      return { conversations, topics, head: await headOf(home.id) };
    };
    const before = await count();
    await type(alice, 'start', { to: [bob.id] });
    await type(alice, 'start', { type: 'channel', stream_id: id, topic: 'new' });
    await alice.post('/users/me/presence', { status: 'active' });
    expect(await count()).toEqual(before);
  });

  test('tells the subscribers of a channel whose clients can show it', async () => {
    const { alice, bob, carol, guest } = await realm();
    const id = await createChannel(alice, 'news', [alice, bob, guest]);
    const [mine, phone, visitor, old] = await Promise.all([
      listen(alice),
      listen(bob),
      listen(guest),
      listen(bob, {}),
    ]);
    const outside = await listen(carol);
    for (const name of ['stream', 'channel']) {
      expect(await type(alice, 'start', { type: name, stream_id: id, topic: ' a topic ' })).toEqual(done);
      for (const listener of [mine, phone, visitor]) {
        expect(await listener.waits()).toEqual([
          {
            id: expect.any(Number),
            type: 'typing',
            op: 'start',
            message_type: 'stream',
            sender: present(alice),
            stream_id: id,
            topic: 'a topic',
          },
        ]);
      }
    }
    await type(alice, 'start', { to: [bob.id, carol.id] });
    expect((await old.waits()).map(({ message_type }) => message_type)).toEqual(['direct']);
    expect((await outside.waits()).map(({ message_type }) => message_type)).toEqual(['direct']);
  });

  test('names the empty topic for clients that cannot show one', async () => {
    const { alice, bob } = await realm();
    const id = await createChannel(alice, 'news', [alice, bob]);
    const [able, unable] = [
      await listen(bob),
      await listen(alice, {
        client_capabilities: { notification_settings_null: true, stream_typing_notifications: true },
      }),
    ];
    await type(alice, 'start', { type: 'channel', stream_id: id, topic: '' });
    expect(await able.waits()).toMatchObject([{ topic: '' }]);
    expect(await unable.waits()).toMatchObject([{ topic: 'general chat' }]);
  });

  test('spares those who do not want to know', async () => {
    const people = await realm();
    const { alice, bob, owner } = people;
    const id = await createChannel(alice, 'news', [alice, bob]);
    const phone = await listen(bob);
    await succeed(bob.patch('/settings', { receives_typing_notifications: false }));
    await type(alice, 'start', { to: [bob.id] });
    await type(alice, 'start', { type: 'channel', stream_id: id, topic: 't' });
    await succeed(bob.patch('/settings', { receives_typing_notifications: true }));
    await hearsNothing(people, bob, phone);
    expect(owner.id).not.toBe(bob.id);
  });

  test('is refused to those who do not want others to know', async () => {
    const { alice, bob } = await realm();
    const id = await createChannel(alice, 'news', [alice, bob]);
    const inChannel = { type: 'channel', stream_id: id, topic: 't' };
    const direct = { to: [bob.id] };
    await succeed(alice.patch('/settings', { send_private_typing_notifications: false }));
    expect(await type(alice, 'start', direct)).toEqual(
      refused('You have turned off typing notifications for direct messages.'),
    );
    expect(await type(alice, 'start', inChannel)).toEqual(done);
    await succeed(
      alice.patch('/settings', {
        send_private_typing_notifications: true,
        send_stream_typing_notifications: false,
      }),
    );
    expect(await type(alice, 'start', inChannel)).toEqual(
      refused('You have turned off typing notifications for channel messages.'),
    );
    expect(await type(alice, 'start', direct)).toEqual(done);
  });

  test('tells nobody in a channel of more than a hundred', async () => {
    const people = await realm();
    const { alice, bob, join } = people;
    const crowd: Person[] = [];
    for (let number = 0; number < 98; number += 1) crowd.push(await join({ name: `Number ${number}` }));
    const id = await createChannel(alice, 'news', [alice, bob, ...crowd]);
    const phone = await listen(bob);
    const params = { type: 'channel', stream_id: id, topic: 't' };
    expect(await type(alice, 'start', params)).toEqual(done);
    expect(await phone.waits()).toMatchObject([{ stream_id: id }]);
    await subscribe(alice, 'news', [people.carol]);
    expect(await type(alice, 'start', params)).toEqual(done);
    await hearsNothing(people, bob, phone);
  });

  test('needs permission to write there', async () => {
    const { alice, bob, guest, owner, bot } = await realm();
    const stranger = (await realm()).alice;
    const id = await createChannel(owner, 'secret', [owner, alice, bot], { invite_only: true });
    const open = await createChannel(owner, 'open', [owner]);
    const write = (person: Person, stream_id: number) =>
      type(person, 'start', { type: 'channel', stream_id, topic: 't' });
    for (const person of [owner, alice, bot]) expect(await write(person, id)).toEqual(done);
    for (const person of [bob, guest, stranger]) {
      expect(await write(person, id)).toEqual(refused('This channel does not exist.'));
    }
    expect(await write(bob, open)).toEqual(done);
    for (const person of [guest, stranger]) {
      expect(await write(person, open)).toEqual(refused('This channel does not exist.'));
    }
    expect(await write(alice, 2_147_483_647)).toEqual(refused('This channel does not exist.'));

    await permit({ owner }, 'can_send_message_group', 'role:nobody', open);
    expect(await write(alice, open)).toEqual(refused('You do not have permission to post in this channel.'));
    await succeed(owner.delete(`/streams/${id}`));
    expect(await write(alice, id)).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('needs permission to write to people', async () => {
    const people = await realm();
    const { alice, bob } = people;
    await permit(people, 'direct_message_initiator_group', 'role:nobody');
    expect(await type(alice, 'start', { to: [bob.id] })).toEqual(
      refused('You do not have permission to start direct message conversations.'),
    );
    await permit(people, 'direct_message_initiator_group', 'role:everyone');
    await tell(alice, [bob]);
    await permit(people, 'direct_message_initiator_group', 'role:nobody');
    expect(await type(alice, 'start', { to: [bob.id] })).toEqual(done);
    await permit(people, 'direct_message_permission_group', 'role:nobody');
    expect(await type(alice, 'start', { to: [bob.id] })).toEqual(
      refused('Direct messages are turned off in this organization.'),
    );
  });

  test('needs someone to write to', async () => {
    const { owner, alice, bob, carol } = await realm();
    const stranger = (await realm()).bob;
    const missing = (name: string) => ({
      result: 'error',
      code: 'REQUEST_VARIABLE_MISSING',
      msg: `The parameter '${name}' is missing.`,
      var_name: name,
    });
    expect(await alice.post('/typing', { to: [bob.id] })).toEqual(missing('op'));
    expect(await type(alice, 'start', {})).toEqual(missing('to'));
    expect(await type(alice, 'start', { to: [] })).toEqual(refused("Empty 'to' list"));
    expect(await type(alice, 'start', { to: [bob.id, stranger.id] })).toEqual(
      refused(`There is no user with the id ${stranger.id}.`),
    );
    expect(await type(alice, 'start', { type: 'stream', topic: 't' })).toEqual(missing('stream_id'));
    expect(await type(alice, 'start', { type: 'stream', stream_id: 1 })).toEqual(
      refused('A message to a channel needs a topic.'),
    );
    expect(await type(alice, 'dance', { to: [bob.id] })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await type(alice, 'start', { type: 'private', to: [bob.id] })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await type(alice, 'start', { to: [bob.email] })).toMatchObject({ code: 'BAD_REQUEST' });
    await succeed(owner.delete(`/users/${carol.id}`));
    expect(await type(alice, 'start', { to: [bob.id, carol.id] })).toMatchObject({ code: 'BAD_REQUEST' });
  });
});
