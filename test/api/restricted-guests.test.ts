import { describe, expect, test } from 'vitest';

import { type Json, type Person, type TestRealm, groupId, realm } from '../support/index.ts';

const unknown = 'Unknown user';

/** Guests see those they share a channel or a conversation with: here the owner, the moderator and Alice. */
async function restricted(): Promise<TestRealm> {
  const people = await realm();
  const { owner, alice, guest, moderator } = people;
  const subscribers = [owner.id, alice.id, guest.id];
  await owner.post('/channels/create', { name: 'here', subscribers });
  await owner.post('/channels/create', { name: 'elsewhere', subscribers: [owner.id, people.bob.id] });
  await moderator.post('/messages', { type: 'direct', to: [guest.id], content: 'hello' });
  await restrict(owner);
  return people;
}

const restrict = async (owner: Person, to = 'role:members') =>
  expect(
    await owner.patch('/realm', { can_access_all_users_group: { new: await groupId(owner, to) } }),
  ).toMatchObject({ result: 'success' });

const idsOf = (list: Json[]) => list.map(({ user_id }) => user_id).sort((a, b) => a - b);
const seenBy = async (person: Person) => idsOf((await person.get('/users')).members);

test('the permission is held by everyone or by members, and by no other group', async () => {
  const { owner } = await realm();
  const asked = async (name: string) =>
    await owner.patch('/realm', { can_access_all_users_group: { new: await groupId(owner, name) } });
  expect(await asked('role:moderators')).toMatchObject({ result: 'error' });
  await restrict(owner);
  await restrict(owner, 'role:everyone');
});

describe('a guest who sees some people', () => {
  test('is told of those in channels with them and of those they wrote with, alone', async () => {
    const people = await restricted();
    const { owner, admin, moderator, alice, bob, guest } = people;
    expect(await seenBy(guest)).toEqual(
      idsOf([owner, moderator, alice, guest].map(({ id }) => ({ user_id: id }))),
    );
    for (const everybody of [owner, admin, bob]) expect(await seenBy(everybody)).toContain(guest.id);
    expect(await seenBy(bob)).toContain(people.carol.id);
  });

  test('is refused whatever there is to know of the others', async () => {
    const { alice, bob, guest } = await restricted();
    await bob.post('/users/me/status', { status_text: 'away' });
    const refusal = { result: 'error', code: 'BAD_REQUEST', msg: 'You do not have permission to do this.' };
    for (const path of [
      `/users/${bob.id}`,
      `/users/user${bob.id}@${bob.realm.host}`,
      `/users/${bob.id}/status`,
      `/users/${bob.id}/presence`,
      `/users/${bob.id}/subscriptions/1`,
    ]) {
      expect(await guest.get(path), path).toMatchObject(refusal);
    }
    expect(await guest.get(`/users/${alice.id}`)).toMatchObject({ user: { full_name: 'Alice' } });
    expect(await guest.get('/users', { user_ids: [bob.id, alice.id] })).toMatchObject({
      members: [{ user_id: alice.id }],
    });
  });

  test('hears of no presence and no status but theirs', async () => {
    const { alice, bob, guest } = await restricted();
    for (const person of [alice, bob]) {
      await person.post('/users/me/presence', { status: 'active', new_user_input: true });
      await person.post('/users/me/status', { status_text: 'here' });
    }
    const { presences } = await guest.get('/realm/presence');
    expect(Object.keys(presences)).toEqual([alice.email]);
    const state = await guest.post('/register', {
      fetch_event_types: ['presence', 'user_status'],
      slim_presence: true,
    });
    expect(Object.keys(state.user_status)).toEqual([String(alice.id)]);
    expect(Object.keys(state.presences)).toEqual([String(alice.id)]);
  });

  test('may write to those they see, and to nobody else', async () => {
    const { alice, bob, guest } = await restricted();
    const write = (to: number[]) => guest.post('/messages', { type: 'direct', to, content: 'x' });
    const msg = 'Some of the recipients do not exist, or you do not have access to them.';
    expect(await write([alice.id])).toMatchObject({ result: 'success' });
    expect(await write([bob.id])).toMatchObject({ result: 'error', code: 'BAD_REQUEST', msg });
    expect(await write([alice.id, bob.id])).toMatchObject({ msg });
    expect(await guest.post('/typing', { op: 'start', to: [bob.id] })).toMatchObject({ msg });
    expect(await guest.post(`/users/me/muted_users/${bob.id}`)).toMatchObject({ result: 'error' });
  });

  test('reads what somebody unknown wrote, and not who it was', async () => {
    const { alice, bob, owner, guest } = await restricted();
    const [hears, knows] = [await guest.listen(), await alice.listen()];
    const { id } = await bob.post('/messages', { type: 'channel', to: 'here', topic: 't', content: 'psst' });
    const hidden = {
      id,
      content: expect.stringContaining('psst'),
      sender_id: bob.id,
      sender_full_name: unknown,
      sender_email: `user${bob.id}@${bob.realm.host}`,
    };
    expect(await hears.hears()).toMatchObject([{ type: 'message', message: hidden }]);
    expect(await knows.hears()).toMatchObject([
      { type: 'message', message: { id, sender_full_name: 'Bob' } },
    ]);
    const page = await guest.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0 });
    expect(page.messages).toMatchObject([hidden]);
    expect(await guest.get(`/messages/${id}`)).toMatchObject({ message: hidden });

    await bob.post(`/messages/${id}/reactions`, { emoji_name: 'tada' });
    const [reaction] = await hears.hears();
    expect(reaction).toMatchObject({ type: 'reaction', user: { user_id: bob.id, full_name: unknown } });
    expect(await knows.hears()).toMatchObject([{ type: 'reaction', user: { full_name: 'Bob' } }]);

    // Once in the channel, they are somebody, also in what they wrote before.
    await owner.post('/users/me/subscriptions', { subscriptions: [{ name: 'here' }], principals: [bob.id] });
    expect(await guest.get(`/messages/${id}`)).toMatchObject({ message: { sender_full_name: 'Bob' } });
    await bob.post('/messages', { type: 'channel', to: 'here', topic: 't', content: 'hello' });
    const heard = await hears.hears();
    expect(heard.at(-1)).toMatchObject({ type: 'message', message: { sender_full_name: 'Bob' } });
  });

  test('a guest hears nothing of an unknown user who types or comes online', async () => {
    const { bob, guest, alice } = await restricted();
    const { stream_id } = await bob.get('/get_stream_id', { stream: 'here' });
    const capabilities = { notification_settings_null: true, stream_typing_notifications: true };
    const [hears, knows] = [
      await guest.listen({ client_capabilities: capabilities }),
      await alice.listen({ client_capabilities: capabilities }),
    ];
    await bob.post('/users/me/presence', { status: 'active', new_user_input: true });
    await bob.post('/typing', { op: 'start', type: 'stream', stream_id, topic: 't' });
    expect((await knows.hears()).map(({ type }) => type)).toEqual(['presence', 'typing']);
    await alice.post('/typing', { op: 'start', type: 'stream', stream_id, topic: 't' });
    expect(await hears.hears()).toMatchObject([{ type: 'typing', sender: { user_id: alice.id } }]);
  });

  test('knows the others by number only, if their client expects everyone in its list', async () => {
    const { bob, guest } = await restricted();
    const register = (user_list_incomplete: boolean) =>
      guest.post('/register', {
        fetch_event_types: ['realm_user'],
        client_capabilities: { notification_settings_null: true, user_list_incomplete },
      });
    const { realm_users } = await register(false);
    expect(realm_users.find(({ user_id }: Json) => user_id === bob.id)).toMatchObject({
      full_name: unknown,
      email: `user${bob.id}@${bob.realm.host}`,
      delivery_email: null,
      date_joined: '1970-01-01T00:00+00:00',
      is_active: true,
    });
    expect(idsOf((await register(true)).realm_users)).not.toContain(bob.id);
  });

  test('sees those no more who leave all channels that they shared, at once too', async () => {
    const { owner, alice, guest } = await restricted();
    await owner.post('/channels/create', { name: 'there', subscribers: [alice.id, guest.id] });
    const hears = await guest.listen({
      event_types: ['realm_user'],
      client_capabilities: { notification_settings_null: true, user_list_incomplete: true },
    });
    await alice.delete('/users/me/subscriptions', { subscriptions: ['here', 'there'] });
    expect(await hears.hears()).toMatchObject([{ op: 'remove', person: { user_id: alice.id } }]);
    expect(await seenBy(guest)).not.toContain(alice.id);
  });

  test('comes to see whoever writes to them first', async () => {
    const { carol, guest } = await restricted();
    const hears = await guest.listen({
      client_capabilities: { notification_settings_null: true, user_list_incomplete: true },
    });
    await carol.post('/messages', { type: 'direct', to: [guest.id], content: 'hello' });
    await carol.post('/messages', { type: 'direct', to: [guest.id], content: 'again' });
    expect(await hears.hears()).toMatchObject([
      { type: 'realm_user', op: 'add', person: { user_id: carol.id, full_name: 'Carol' } },
      { type: 'message', message: { sender_full_name: 'Carol' } },
      { type: 'message', message: { sender_full_name: 'Carol' } },
    ]);
    expect(await guest.post('/messages', { type: 'direct', to: [carol.id], content: 'hi' })).toMatchObject({
      result: 'success',
    });
  });
});
