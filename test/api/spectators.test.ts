import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  emptyChannel,
  letSpectatorsIn,
  realm,
  say,
  succeed,
} from '../support/index.ts';

/** A realm with a channel that is open to the world, and one that is open to members. */
async function openRealm() {
  const home = await realm();
  const { owner, alice } = home;
  await letSpectatorsIn(home);
  await emptyChannel(owner, 'world', [owner, alice], { is_web_public: true });
  await emptyChannel(owner, 'insiders', [owner, alice]);
  await succeed(owner.patch('/realm', { enable_spectator_access: false }));
  const ids = {
    world: await say(alice, 'world', 't', 'to world'),
    insiders: await say(alice, 'insiders', 't', 'to insiders'),
  };
  return { ...home, ids };
}

const ask = async (through: Person, method: string, path: string, params: object = {}): Promise<Json> =>
  (await through.ask(method, path, { ...params }, { authorization: null })).body;

const narrow = [['channels', 'web-public']];

describe('without an account', () => {
  test('nothing is seen where the organization is closed', async () => {
    const home = await openRealm();
    const { alice, ids } = home;
    for (const [method, path, params] of [
      ['POST', '/register', {}],
      ['GET', '/messages', { anchor: 'newest', num_before: 5, narrow }],
      ['GET', `/messages/${ids.world}`, {}],
    ] as const) {
      expect(await ask(alice, method, path, params), path).toMatchObject({ code: 'UNAUTHENTICATED_USER' });
    }
    expect(await ask(alice, 'GET', '/server_settings')).toMatchObject({
      realm_web_public_access_enabled: false,
    });
    await letSpectatorsIn(home);
    expect(await ask(alice, 'GET', '/server_settings')).toMatchObject({
      realm_web_public_access_enabled: true,
    });
  });

  test('the state is that of the channels that are open, without a queue', async () => {
    const home = await openRealm();
    const { alice } = home;
    await letSpectatorsIn(home);
    const state = await ask(alice, 'POST', '/register');
    expect(state).toMatchObject({
      queue_id: null,
      user_id: 0,
      full_name: 'Anonymous User',
      is_guest: true,
      is_admin: false,
      max_message_id: -1,
      unread_msgs: { count: 0, pms: [], streams: [], huddles: [], mentions: [], old_unreads_missing: false },
      starred_messages: [],
      recent_private_conversations: [],
      realm_allow_message_editing: false,
      realm_presence_disabled: true,
      subscriptions: [{ name: 'world', color: expect.stringMatching(/^#/), wildcard_mentions_notify: true }],
      unsubscribed: [],
      never_subscribed: [],
    });
    expect(state).not.toHaveProperty('last_event_id');
    expect(state).not.toHaveProperty('streams');
    expect(JSON.stringify(state)).not.toContain('insiders');
    const [person] = state.realm_users;
    expect(person).toMatchObject({
      email: `user${person.user_id}@${home.realm.host}`,
      delivery_email: null,
      date_joined: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
    });
    expect(person).not.toHaveProperty('timezone');
    expect(JSON.stringify(state.realm_users)).not.toContain(alice.email);
  });

  test('what would tell more is refused', async () => {
    const home = await openRealm();
    const { alice } = home;
    await letSpectatorsIn(home);
    for (const params of [
      { client_gravatar: true },
      { include_subscribers: 'true' },
      { include_subscribers: 'partial' },
    ]) {
      expect(await ask(alice, 'POST', '/register', params)).toMatchObject({
        code: 'BAD_REQUEST',
        msg: expect.stringContaining(Object.keys(params)[0] ?? ''),
      });
    }
    expect(await ask(alice, 'POST', '/register', { all_public_streams: true })).toMatchObject({
      code: 'BAD_REQUEST',
    });
  });

  test('messages are found where the world may look, and nowhere else', async () => {
    const home = await openRealm();
    const { alice, ids } = home;
    await letSpectatorsIn(home);
    const all = { anchor: 'newest', num_before: 10 };
    const page = await ask(alice, 'GET', '/messages', { ...all, narrow });
    expect(page.messages).toMatchObject([
      { id: ids.world, content: '<p>to world</p>', flags: ['read', 'historical'], sender_full_name: 'Alice' },
    ]);
    expect(JSON.stringify(page)).not.toContain(alice.email);
    for (const params of [
      all,
      { ...all, narrow: [['channel', 'insiders']] },
      { message_ids: [ids.insiders] },
    ]) {
      expect(await ask(alice, 'GET', '/messages', params)).toMatchObject({ code: 'UNAUTHENTICATED_USER' });
    }
    const both = [...narrow, ['channel', 'insiders']];
    expect(await ask(alice, 'GET', '/messages', { ...all, narrow: both })).toMatchObject({
      code: 'BAD_NARROW',
    });
    expect(await ask(alice, 'GET', `/messages/${ids.world}`)).toMatchObject({ message: { id: ids.world } });
    expect(await ask(alice, 'GET', `/messages/${ids.insiders}`)).toMatchObject({
      code: 'UNAUTHENTICATED_USER',
    });
  });

  test('topics of open channels are listed, and people by their names', async () => {
    const home = await openRealm();
    const { alice, owner, ids } = home;
    await letSpectatorsIn(home);
    const { streams } = await owner.get('/streams', { include_all: true });
    const idOf = (name: string): number => streams.find((one: Json) => one.name === name).stream_id;
    expect(await ask(alice, 'GET', `/users/me/${idOf('world')}/topics`)).toMatchObject({
      topics: [{ name: 't', max_id: ids.world }],
    });
    expect(await ask(alice, 'GET', `/users/me/${idOf('insiders')}/topics`)).toMatchObject({
      code: 'BAD_REQUEST',
    });
    const { members } = await ask(alice, 'GET', '/users');
    expect(members).toContainEqual(expect.objectContaining({ full_name: 'Alice', delivery_email: null }));
    expect(JSON.stringify(members)).not.toContain(alice.email);
  });

  test('nothing else is answered', async () => {
    const home = await openRealm();
    await letSpectatorsIn(home);
    for (const [method, path] of [
      ['GET', '/users/me'],
      ['POST', '/messages'],
      ['POST', '/messages/flags'],
    ] as const) {
      expect(await ask(home.alice, method, path)).toMatchObject({ code: 'UNAUTHENTICATED_USER' });
    }
  });
});
