import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Listener,
  type Params,
  type Person,
  type TestRealm,
  getWorld,
  headOf,
  realm,
} from '../support/index.ts';

const modern = {
  client_capabilities: {
    notification_settings_null: true,
    stream_typing_notifications: true,
    empty_topic_name: true,
  },
};

/** Somebody who listens to typing, at a node that follows the realm by now. */
async function listen(person: Person, options: Params = modern): Promise<Listener> {
  const listener = await person.listen({ event_types: ['typing', 'typing_edit_message'], ...options });
  await listener.hears();
  return listener;
}

const ok = { result: 'success', msg: '' };
const refused = (msg: string) => ({ result: 'error', code: 'BAD_REQUEST', msg });
const present = ({ id, email }: Person) => ({ user_id: id, email });

/** A channel with these people in it. */
async function channel(by: Person, people: Person[], options: Params = {}): Promise<number> {
  const name = `c${Math.random()}`;
  await by.post('/users/me/subscriptions', {
    subscriptions: [{ name }],
    principals: people.map(({ id }) => id),
    ...options,
  });
  const { sql } = await getWorld();
  const [row] = await sql<{ id: number }[]>`select id from channels where name = ${name}`;
  return row?.id ?? 0;
}

const type = (by: Person, op: string, params: Params): Promise<Json> => by.post('/typing', { op, ...params });

/** That nothing came before something that surely comes. */
async function hearsNothing({ owner }: TestRealm, person: Person, listener: Listener): Promise<void> {
  await type(owner, 'stop', { to: [person.id] });
  expect(await listener.waits()).toMatchObject([{ type: 'typing', op: 'stop', sender: present(owner) }]);
}

async function change(person: Person, settings: Params): Promise<void> {
  expect(await person.patch('/settings', settings)).toMatchObject(ok);
}

test('is heard by a client whose first question comes a moment later', async () => {
  const { alice, bob } = await realm();
  const listener = await bob.listen({ event_types: ['typing'], ...modern });
  await alice.post('/typing', { op: 'start', to: [bob.id] });
  expect((await listener.poll()).events).toMatchObject([{ type: 'typing', sender: present(alice) }]);
});

describe('POST /typing', () => {
  test('tells everyone in a direct conversation, on all of their devices', async () => {
    const { alice, bob, carol } = await realm();
    const phones = await Promise.all([alice, bob, carol].map((person) => listen(person)));
    for (const op of ['start', 'stop']) {
      expect(await type(alice, op, { to: [carol.id, bob.id] })).toEqual(ok);
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
    const id = await channel(alice, [alice, bob]);
    const { sql } = await getWorld();
    const count = async () => {
      const [rows] = await sql`
        select (select count(*) from conversations where realm_id = ${home.id}) as conversations,
          (select count(*) from topics where channel_id = ${id}) as topics`;
      return { ...rows, head: await headOf(home.id) };
    };
    const before = await count();
    await type(alice, 'start', { to: [bob.id] });
    await type(alice, 'start', { type: 'channel', stream_id: id, topic: 'new' });
    await alice.post('/users/me/presence', { status: 'active' });
    expect(await count()).toEqual(before);
  });

  test('tells the subscribers of a channel whose clients can show it', async () => {
    const { alice, bob, carol, guest } = await realm();
    const id = await channel(alice, [alice, bob, guest]);
    const [mine, phone, visitor, old] = await Promise.all([
      listen(alice),
      listen(bob),
      listen(guest),
      listen(bob, {}),
    ]);
    const outside = await listen(carol);
    for (const name of ['stream', 'channel']) {
      expect(await type(alice, 'start', { type: name, stream_id: id, topic: ' a topic ' })).toEqual(ok);
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
    const id = await channel(alice, [alice, bob]);
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
    const id = await channel(alice, [alice, bob]);
    const phone = await listen(bob);
    await change(bob, { receives_typing_notifications: false });
    await type(alice, 'start', { to: [bob.id] });
    await type(alice, 'start', { type: 'channel', stream_id: id, topic: 't' });
    await change(bob, { receives_typing_notifications: true });
    await hearsNothing(people, bob, phone);
    expect(owner.id).not.toBe(bob.id);
  });

  test('is refused to those who do not want others to know', async () => {
    const { alice, bob } = await realm();
    const id = await channel(alice, [alice, bob]);
    const inChannel = { type: 'channel', stream_id: id, topic: 't' };
    const direct = { to: [bob.id] };
    await change(alice, { send_private_typing_notifications: false });
    expect(await type(alice, 'start', direct)).toEqual(
      refused('User has disabled typing notifications for direct messages'),
    );
    expect(await type(alice, 'start', inChannel)).toEqual(ok);
    await change(alice, { send_private_typing_notifications: true, send_stream_typing_notifications: false });
    expect(await type(alice, 'start', inChannel)).toEqual(
      refused('User has disabled typing notifications for channel messages'),
    );
    expect(await type(alice, 'start', direct)).toEqual(ok);
  });

  test('tells nobody in a channel of more than a hundred', async () => {
    const people = await realm();
    const { alice, bob, join } = people;
    const crowd: Person[] = [];
    for (let number = 0; number < 98; number += 1) crowd.push(await join({ name: `Number ${number}` }));
    const id = await channel(alice, [alice, bob, ...crowd]);
    const phone = await listen(bob);
    const params = { type: 'channel', stream_id: id, topic: 't' };
    expect(await type(alice, 'start', params)).toEqual(ok);
    expect(await phone.waits()).toMatchObject([{ stream_id: id }]);
    await alice.post('/users/me/subscriptions', {
      subscriptions: [{ name: await nameOf(id) }],
      principals: [people.carol.id],
    });
    expect(await type(alice, 'start', params)).toEqual(ok);
    await hearsNothing(people, bob, phone);
  });

  test('needs permission to write there', async () => {
    const { realm: home, alice, bob, guest, owner, bot } = await realm();
    const stranger = (await realm()).alice;
    const id = await channel(owner, [owner, alice, bot], { invite_only: true });
    const open = await channel(owner, [owner]);
    const { sql } = await getWorld();
    const write = (person: Person, stream_id: number) =>
      type(person, 'start', { type: 'channel', stream_id, topic: 't' });
    for (const person of [owner, alice, bot]) expect(await write(person, id)).toEqual(ok);
    for (const person of [bob, guest, stranger]) {
      expect(await write(person, id)).toEqual(refused('Invalid channel ID'));
    }
    expect(await write(bob, open)).toEqual(ok);
    for (const person of [guest, stranger]) {
      expect(await write(person, open)).toEqual(refused('Invalid channel ID'));
    }
    expect(await write(alice, 2_147_483_647)).toEqual(refused('Invalid channel ID'));

    const nobody = await groupId(home.id, 'role:nobody');
    await sql`update channels set group_settings = group_settings || ${sql.json({
      can_send_message_group: nobody,
    })} where id = ${open}`;
    expect(await write(alice, open)).toEqual(refused('You do not have permission to post in this channel.'));
    await sql`update channels set is_archived = true where id = ${id}`;
    expect(await write(alice, id)).toMatchObject({ code: 'BAD_REQUEST' });
  });

  test('needs permission to write to people', async () => {
    const { realm: home, alice, bob } = await realm();
    const { sql } = await getWorld();
    const nobody = await groupId(home.id, 'role:nobody');
    const set = async (name: string) => {
      await sql`update realms set group_settings = ${sql.json({ [name]: nobody })} where id = ${home.id}`;
    };
    await set('direct_message_initiator_group');
    expect(await type(alice, 'start', { to: [bob.id] })).toEqual(
      refused('You do not have permission to initiate direct message conversations.'),
    );
    await set('none');
    await alice.post('/messages', { type: 'direct', to: [bob.id], content: 'x' });
    await set('direct_message_initiator_group');
    expect(await type(alice, 'start', { to: [bob.id] })).toEqual(ok);
    await set('direct_message_permission_group');
    expect(await type(alice, 'start', { to: [bob.id] })).toEqual(
      refused('Direct messages are disabled in this organization.'),
    );
  });

  test('needs someone to write to', async () => {
    const { alice, bob, carol } = await realm();
    const stranger = (await realm()).bob;
    const missing = (name: string) => ({
      result: 'error',
      code: 'REQUEST_VARIABLE_MISSING',
      msg: `Missing '${name}' argument`,
      var_name: name,
    });
    expect(await alice.post('/typing', { to: [bob.id] })).toEqual(missing('op'));
    expect(await type(alice, 'start', {})).toEqual(missing('to'));
    expect(await type(alice, 'start', { to: [] })).toEqual(refused("Empty 'to' list"));
    expect(await type(alice, 'start', { to: [bob.id, stranger.id] })).toEqual(
      refused(`Invalid user ID ${stranger.id}`),
    );
    expect(await type(alice, 'start', { type: 'stream', topic: 't' })).toEqual(missing('stream_id'));
    expect(await type(alice, 'start', { type: 'stream', stream_id: 1 })).toEqual(refused('Missing topic'));
    expect(await type(alice, 'dance', { to: [bob.id] })).toMatchObject({ code: 'BAD_REQUEST' });
    expect(await type(alice, 'start', { type: 'private', to: [bob.id] })).toMatchObject({
      code: 'BAD_REQUEST',
    });
    expect(await type(alice, 'start', { to: [bob.email] })).toMatchObject({ code: 'BAD_REQUEST' });
    const { sql } = await getWorld();
    await sql`update users set is_active = false where id = ${carol.id}`;
    expect(await type(alice, 'start', { to: [bob.id, carol.id] })).toMatchObject({ code: 'BAD_REQUEST' });
  });
});

async function groupId(realmId: number, name: string): Promise<number> {
  const { sql } = await getWorld();
  const [group] = await sql<{ id: number }[]>`
    select id from user_groups where realm_id = ${realmId} and name = ${name}`;
  return group?.id ?? 0;
}

async function nameOf(channelId: number): Promise<string> {
  const { sql } = await getWorld();
  const [row] = await sql<{ name: string }[]>`select name from channels where id = ${channelId}`;
  return row?.name ?? '';
}

describe('POST /messages/{message_id}/typing', () => {
  const edit = (by: Person, id: number, op = 'start'): Promise<Json> =>
    by.post(`/messages/${id}/typing`, { op });

  test('tells the people of a direct conversation', async () => {
    const { alice, bob, carol } = await realm();
    const { id } = await alice.post('/messages', { type: 'direct', to: [bob.id, carol.id], content: 'x' });
    await change(carol, { receives_typing_notifications: false });
    const phones = await Promise.all([listen(alice), listen(bob)]);
    for (const op of ['start', 'stop']) {
      expect(await edit(alice, id, op)).toEqual(ok);
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
    const stream_id = await channel(alice, [alice, bob]);
    const { id } = await alice.post('/messages', { type: 'channel', to: stream_id, topic: '', content: 'x' });
    const [phone, outside] = [await listen(bob, {}), await listen(carol)];
    expect(await edit(alice, id)).toEqual(ok);
    expect(await phone.waits()).toEqual([
      {
        id: expect.any(Number),
        type: 'typing_edit_message',
        op: 'start',
        sender_id: alice.id,
        message_id: id,
        recipient: { type: 'channel', channel_id: stream_id, topic: '' },
      },
    ]);
    await hearsNothing(people, carol, outside);
  });

  test('tells of a message in a protected channel only those who have it', async () => {
    const people = await realm();
    const { alice, bob, carol } = people;
    const protectedOne = { invite_only: true, history_public_to_subscribers: false };
    const stream_id = await channel(alice, [alice, bob], protectedOne);
    const { id } = await alice.post('/messages', {
      type: 'channel',
      to: stream_id,
      topic: 't',
      content: 'x',
    });
    const name = await nameOf(stream_id);
    await alice.post('/users/me/subscriptions', { subscriptions: [{ name }], principals: [carol.id] });
    const [phone, late] = [await listen(bob), await listen(carol)];
    expect(await edit(alice, id)).toEqual(ok);
    expect(await phone.waits()).toMatchObject([{ message_id: id }]);
    await hearsNothing(people, carol, late);
  });

  test('is for the one who may edit the message now', async () => {
    const { realm: home, alice, bob, owner, guest } = await realm();
    const stranger = (await realm()).alice;
    const { id } = await alice.post('/messages', { type: 'direct', to: [bob.id], content: 'x' });
    expect(await edit(bob, id)).toEqual(refused("You don't have permission to edit this message"));
    for (const person of [owner, guest, stranger]) {
      expect(await edit(person, id)).toEqual(refused('Invalid message(s)'));
    }
    expect(await edit(alice, 2_147_483_647)).toEqual(refused('Invalid message(s)'));
    expect(await edit(alice, id, 'dance')).toMatchObject({ code: 'BAD_REQUEST' });

    const { sql } = await getWorld();
    const set = (settings: Record<string, boolean | number | null>) =>
      sql`update realms set settings = ${sql.json(settings)} where id = ${home.id}`;
    await set({ allow_message_editing: false });
    expect(await edit(alice, id)).toEqual(refused('Your organization has turned off message editing'));
    await set({ message_content_edit_limit_seconds: 60 });
    await sql`update messages set sent_at = now() - interval '79 seconds' where id = ${id}`;
    expect(await edit(alice, id)).toEqual(ok);
    await sql`update messages set sent_at = now() - interval '81 seconds' where id = ${id}`;
    expect(await edit(alice, id)).toEqual(refused('The time limit for editing this message has passed'));
    await set({ message_content_edit_limit_seconds: null });
    expect(await edit(alice, id)).toEqual(ok);
    await change(alice, { send_private_typing_notifications: false });
    expect(await edit(alice, id)).toEqual(
      refused('User has disabled typing notifications for direct messages'),
    );
  });
});

describe('what is said beside the log', () => {
  test('is heard once, whichever node is asked', async () => {
    const { alice, bob } = await realm();
    const phone = await listen(bob);
    await using other = await (await getWorld()).startQueue();
    const ask = async (port?: number) => {
      const params = { queue_id: phone.queueId, last_event_id: phone.lastEventId, dont_block: true };
      const { body } = await bob.ask('GET', '/events', params, port === undefined ? {} : { port });
      return body.events;
    };
    await ask(other.port);
    await type(alice, 'start', { to: [bob.id] });
    const [event] = await phone.waits();
    expect(await ask(other.port)).toEqual([]);
    expect(await ask()).toEqual([]);

    await alice.post('/messages', { type: 'direct', to: [bob.id], content: 'x' });
    const marker = await type(alice, 'stop', { to: [bob.id] });
    expect(marker).toEqual(ok);
    const all = await phone.waits();
    expect(all.map(({ op }) => op)).toEqual(['stop']);
    expect(all[0]?.id).toBeGreaterThan(event?.id ?? Infinity);
    // A lost reply: the other node gives it again, in the same place.
    phone.lastEventId = event?.id ?? 0;
    expect(await ask(other.port)).toEqual(all);
  });

  test('comes in the order in which it was said, between the messages', async () => {
    const { alice, bob } = await realm();
    const phone = await listen(bob, { event_types: ['typing', 'message'] });
    const said: string[] = [];
    for (let round = 0; round < 5; round += 1) {
      for (const op of ['start', 'stop']) {
        await type(alice, op, { to: [bob.id] });
        said.push(op);
      }
      await alice.post('/messages', { type: 'direct', to: [bob.id], content: 'x' });
      said.push('message');
    }
    const heard: string[] = [];
    const ids: number[] = [];
    while (heard.filter((kind) => kind === 'message').length < 5) {
      for (const { id, op, type: kind } of await phone.waits()) {
        heard.push(op ?? kind);
        ids.push(id);
      }
    }
    expect(heard).toEqual(said);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => a - b));
  });

  test('is not heard by who registers after it', async () => {
    const people = await realm();
    const { alice, bob } = people;
    await listen(alice);
    await type(alice, 'start', { to: [bob.id] });
    const late = await listen(bob);
    await hearsNothing(people, bob, late);
  });
});
