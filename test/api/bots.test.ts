import { describe, expect, test, vi } from 'vitest';

import {
  type Json,
  type Person,
  basic,
  channelId,
  emptyChannel,
  getWorld,
  isInLog,
  leave,
  realm,
  subscribe,
  succeed,
} from '../support/index.ts';

const make = async (by: Person, params: object = {}): Promise<Json> =>
  await by.post('/bots', { full_name: 'Robot', short_name: 'robot', ...params });

const asBot = async (by: Person, { user_id, api_key }: Json) => {
  const { user } = await by.get(`/users/${user_id}`);
  const authorization = basic(user.delivery_email, api_key);
  return async (method: string, path: string, params = {}) =>
    await by.ask(method, path, params, { authorization });
};

describe('POST /bots', () => {
  test('makes a bot that acts with its key, and tells those who see to it', async () => {
    const { alice, bob, admin, owner } = await realm();
    const listeners = await Promise.all(
      [alice, admin, owner].map((person) => person.listen({ event_types: ['realm_bot'] })),
    );
    const stranger = await bob.listen({ event_types: ['realm_bot'] });

    const made = await make(alice);

    expect(made).toMatchObject({ api_key: expect.stringMatching(/^\w{32}$/), default_sending_stream: null });
    const bot = {
      user_id: made.user_id,
      email: `robot-bot@${alice.realm.host}`,
      full_name: 'Robot',
      bot_type: 1,
      owner_id: alice.id,
      api_key: made.api_key,
      is_active: true,
      services: [],
    };
    for (const listener of listeners) {
      expect(await listener.hears()).toMatchObject([{ type: 'realm_bot', op: 'add', bot }]);
    }
    expect(await stranger.hears()).toEqual([]);
    const ask = await asBot(alice, made);
    const direct = { type: 'direct', to: [bob.id], content: 'beep' };
    expect((await ask('POST', '/messages', direct)).status).toBe(200);
    const { bots } = await alice.get('/bots');
    expect(bots).toMatchObject([{ username: bot.email, full_name: 'Robot', api_key: made.api_key }]);
    const state = async (who: Person) =>
      (await who.post('/register', { fetch_event_types: ['realm_bot'] })).realm_bots;
    expect(await state(alice)).toMatchObject([bot]);
    expect(await state(admin)).toContainEqual(expect.objectContaining(bot));
    expect(await state(bob)).toEqual([]);
  });

  test('has an address also where the host cannot be the domain of one', async () => {
    const { alice, bob, realm: home } = await realm();
    const world = await getWorld();
    await using node = await world.startApi({ site: { ...world.site, rootRealm: home.name } });
    const local = { host: 'localhost', port: node.port };
    const input = { full_name: 'Robot', short_name: 'robot', bot_type: 1 };
    const { body: made } = await alice.ask('POST', '/bots', input, local);
    expect(made).toMatchObject({ result: 'success' });
    const email = 'robot-bot@fake.invalid';
    expect(await bob.get(`/users/${email}`)).toMatchObject({ user: { user_id: made.user_id, email } });
    await succeed(bob.patch('/settings', { email_address_visibility: 4 }));
    const { body } = await alice.ask('GET', `/users/user${bob.id}@fake.invalid`, {}, local);
    expect(body.user).toMatchObject({ user_id: bob.id, email: `user${bob.id}@fake.invalid` });
    for (const host of ['localhost', 'LOCALHOST', 'localhost:9991']) {
      const found = await alice.ask('GET', `/users/user${bob.id}@${host}`, {}, local);
      expect(found.body.user, host).toMatchObject({ user_id: bob.id });
    }
    expect((await alice.ask('GET', `/users/user${bob.id}@elsewhere`, {}, local)).body.code).toBe(
      'BAD_REQUEST',
    );
  });

  test('the log holds no key', async () => {
    const { alice } = await realm();
    const { api_key } = await make(alice);
    expect(await isInLog('robot')).toBe(true);
    expect(await isInLog(api_key)).toBe(false);
  });

  test('an outgoing-webhook bot calls somewhere, with a token of its own', async () => {
    const { alice } = await realm();
    const made = await make(alice, { bot_type: 3, payload_url: '"https://bots.example/hook"' });
    const { realm_bots } = await alice.post('/register', { fetch_event_types: ['realm_bot'] });
    expect(realm_bots[0]).toMatchObject({
      user_id: made.user_id,
      services: [
        { base_url: 'https://bots.example/hook', interface: 1, token: expect.stringMatching(/^\w{32}$/) },
      ],
    });
  });

  test('a bot that only writes may call POST /messages and nothing else', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news');
    const ask = await asBot(alice, await make(alice, { bot_type: 2, default_sending_stream: 'news' }));
    const refused = { status: 401, body: { code: 'UNAUTHORIZED' } };
    expect(await ask('GET', '/users/me')).toMatchObject(refused);
    expect(await ask('POST', '/register')).toMatchObject(refused);
    expect((await ask('POST', '/messages', { type: 'direct', to: [bob.id], content: 'x' })).status).toBe(200);
    expect((await ask('POST', '/messages', { type: 'channel', topic: 't', content: 'x' })).status).toBe(200);
    const lost = await ask('POST', '/messages', { type: 'direct', content: 'x' });
    expect(lost.body).toMatchObject({ code: 'REQUEST_VARIABLE_MISSING', var_name: 'to' });
  });

  test('hears by default what it was given', async () => {
    const { alice, bob } = await realm();
    for (const name of ['news', 'tea']) {
      const both = { subscriptions: [{ name }], principals: [alice.id, bob.id] };
      await alice.post('/users/me/subscriptions', both);
    }
    const given = { default_events_register_stream: 'news', default_all_public_streams: true };
    const made = await make(alice, given);
    expect(made).toMatchObject(given);
    const ask = await asBot(alice, made);
    const { body: registered } = await ask('POST', '/register', { event_types: ['message'] });
    for (const to of ['tea', 'news']) {
      await bob.post('/messages', { type: 'channel', to, topic: 't', content: to });
    }
    const { queue_id, last_event_id } = registered;
    const { body } = await ask('GET', '/events', { queue_id, last_event_id });
    expect(body.events.map((event: Json) => event.message.content)).toEqual(['news']);
  });

  test('refuses what no bot can be', async () => {
    const { owner, alice, guest, bot } = await realm();
    const { realm_user_groups } = await owner.post('/register', { fetch_event_types: ['realm_user_groups'] });
    const idOf = (name: string) => realm_user_groups.find((group: Json) => group.name === name).id;
    for (const [params, msg] of [
      [{ bot_type: 4 }, 'This server has no embedded bots.'],
      [{ bot_type: 5 }, 'There is no such type of bot.'],
      [{ bot_type: 2, service_name: 'x' }, "There is no integration called 'x'."],
      [{ bot_type: 3 }, "The parameter 'payload_url' is missing."],
      [{ bot_type: 3, payload_url: '"nowhere"' }, 'Enter a valid URL.'],
      [{ bot_type: 3, payload_url: '"file:///etc/passwd"' }, 'Enter a valid URL.'],
      [{ bot_type: 3, payload_url: 'https://a.example' }, 'payload_url must be JSON.'],
      [
        { bot_type: 3, payload_url: '"https://a.example"', interface_type: 3 },
        'This format of requests is not supported.',
      ],
      [
        { short_name: 'a b' },
        'This name cannot be turned into an email address. Use letters, digits, dots, hyphens and underscores.',
      ],
      [{ full_name: 'a@b' }, 'This name contains characters that are not allowed.'],
      [{ full_name: 'Alice' }, 'Another bot already has this name.'],
      [{ default_sending_stream: 'nowhere' }, "There is no channel called 'nowhere'."],
    ] as const) {
      expect([await make(alice, params), params]).toMatchObject([{ result: 'error', msg }, params]);
    }
    await make(alice);
    expect(await make(alice, { full_name: 'Other' })).toMatchObject({
      msg: 'Another account already uses this email address.',
    });
    expect(await make(guest)).toMatchObject({ msg: 'Guests cannot do this.' });
    expect(await make(bot)).toMatchObject({ msg: 'Bots cannot use this endpoint.' });
    await owner.patch('/realm', { can_create_bots_group: { new: idOf('role:administrators') } });
    const second = { full_name: 'Second', short_name: 'second' };
    expect(await make(alice, second)).toMatchObject({ msg: 'You do not have permission to do this.' });
    expect(await make(alice, { ...second, bot_type: 2 })).toMatchObject({ result: 'success' });
  });
});

describe('PATCH /bots/{bot_id}', () => {
  test('changes a bot and answers with what it is', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news');
    const made = await make(alice, { bot_type: 3, payload_url: '"https://a.example"' });
    const phone = await alice.listen({ event_types: ['realm_bot', 'realm_user'] });
    const path = `/bots/${made.user_id}`;
    const edit = {
      full_name: 'Renamed',
      service_payload_url: '"https://b.example"',
      default_sending_stream: 'news',
    };
    expect(await alice.patch(path, edit)).toMatchObject({
      full_name: 'Renamed',
      service_payload_url: 'https://b.example',
      service_interface: 1,
      default_sending_stream: 'news',
      bot_owner: alice.email,
    });
    expect(await phone.hears()).toMatchObject([
      { type: 'realm_user', person: { full_name: 'Renamed' } },
      { type: 'realm_bot', op: 'update', bot: { full_name: 'Renamed' } },
      {
        type: 'realm_bot',
        bot: { default_sending_stream: 'news', services: [{ base_url: 'https://b.example' }] },
      },
    ]);
    expect((await alice.patch(path, { default_sending_stream: '' })).default_sending_stream).toBe(null);
    expect((await alice.patch(path, { bot_owner_id: bob.id })).bot_owner).toBe(bob.email);
    expect((await phone.hears()).slice(-2)).toMatchObject([
      { type: 'realm_bot', op: 'delete', bot: { user_id: made.user_id } },
      { type: 'realm_user', person: { bot_owner_id: bob.id } },
    ]);
  });

  test('a new owner gets the bot with a new key, and nothing that they may not see', async () => {
    const { alice, bob } = await realm();
    await emptyChannel(alice, 'secret', [alice], { invite_only: true });
    const made = await make(alice, { default_sending_stream: 'secret' });
    const old = await asBot(alice, made);
    expect((await old('GET', '/users/me')).status).toBe(200);
    const queue = (await old('POST', '/register', { event_types: ['message'] })).body;
    const phone = await bob.listen({ event_types: ['realm_bot'] });

    expect(await alice.patch(`/bots/${made.user_id}`, { bot_owner_id: bob.id })).toMatchObject({
      bot_owner: bob.email,
      default_sending_stream: null,
    });

    expect((await old('GET', '/users/me')).status).toBe(401);
    const { queue_id, last_event_id } = queue;
    await vi.waitUntil(
      async () => {
        const poll = await old('GET', '/events', { queue_id, last_event_id, dont_block: true });
        return poll.status === 401;
      },
      { timeout: 60_000 },
    );
    const { bots } = await bob.get('/bots');
    expect(bots).toMatchObject([{ full_name: 'Robot', default_sending_stream: null }]);
    const [first, ...more] = await phone.hears();
    expect(first).toMatchObject({ op: 'add', bot: { default_sending_stream: null } });
    const latest = Object.assign({}, first?.bot, ...more.map(({ bot }) => bot));
    expect(latest.api_key).toBe(bots[0].api_key);
    expect(latest.api_key).not.toBe(made.api_key);
    const fresh = await asBot(alice, { ...made, api_key: latest.api_key });
    expect((await fresh('GET', '/users/me')).status).toBe(200);
  });

  test('no plan for sending outlives the owner: neither the old key nor the old permission serves', async () => {
    const { alice, bob, owner } = await realm();
    await emptyChannel(owner, 'board', [owner, alice, bob]);
    const id = await channelId(owner, 'board');
    const toAlice = { direct_members: [alice.id], direct_subgroups: [] };
    await succeed(owner.patch(`/streams/${id}`, { can_send_message_group: { new: toAlice } }));
    const made = await make(alice);
    const send = async (ask: Awaited<ReturnType<typeof asBot>>) =>
      (await ask('POST', '/messages', { type: 'channel', to: 'board', topic: 't', content: 'x' })).body
        .result;
    const old = await asBot(alice, made);
    for (let time = 0; time < 2; time += 1) expect(await send(old)).toBe('success');

    await succeed(alice.patch(`/bots/${made.user_id}`, { bot_owner_id: bob.id }));
    expect(await send(old)).toBe('error');
    const [{ api_key }] = (await bob.get('/bots')).bots;
    expect(await send(await asBot(alice, { ...made, api_key }))).toBe('error');
  });

  test('is given only to somebody who may have such a bot', async () => {
    const { alice, bob, guest, admin, owner } = await realm();
    const made = await make(alice);
    const give = async (by: Person, to: Person) =>
      (await by.patch(`/bots/${made.user_id}`, { bot_owner_id: to.id })).msg;
    const { realm_user_groups } = await owner.post('/register', { fetch_event_types: ['realm_user_groups'] });
    const idOf = (name: string) => realm_user_groups.find((group: Json) => group.name === name).id;
    expect(await give(alice, guest)).toBe('You do not have permission to do this.');
    await succeed(admin.patch(`/bots/${made.user_id}`, { role: 200 }));
    expect(await give(alice, bob), 'an administrator’s powers are not handed on').toMatch(/role/);
    await succeed(owner.patch('/realm', { can_create_bots_group: { new: idOf('role:administrators') } }));
    expect(await give(admin, bob)).toBe('You do not have permission to do this.');
    expect(await give(alice, admin)).toBe('');
  });

  test('is for its owner and administrators', async () => {
    const { alice, bob, admin, carol, bot } = await realm();
    const other = await realm();
    const { user_id } = await make(alice);
    const refusal = async (by: Person, id: number, params: object = { default_all_public_streams: true }) =>
      (await by.patch(`/bots/${id}`, params as never)).msg;
    expect(await refusal(bob, user_id)).toBe('You do not have permission to do this.');
    expect(await refusal(admin, user_id)).toBe('');
    expect(await refusal(alice, bob.id)).toBe('This bot does not exist.');
    expect(await refusal(alice, other.bot.id)).toBe('This bot does not exist.');
    expect(await refusal(alice, user_id, { role: 300 })).toBe(
      'Only administrators of the organization can do this.',
    );
    expect(await refusal(alice, user_id, { bot_owner_id: bot.id })).toMatch(/a bot cannot own a bot/);
    expect(await refusal(alice, user_id, { bot_owner_id: other.bob.id })).toMatch(/this user does not exist/);
    await admin.delete(`/users/${carol.id}`);
    expect(await refusal(alice, user_id, { bot_owner_id: carol.id })).toMatch(/deactivated/);
    expect((await bob.delete(`/bots/${user_id}`)).msg).toBe('You do not have permission to do this.');
    expect((await bob.post(`/bots/${user_id}/api_key/regenerate`)).msg).toBe(
      'You do not have permission to do this.',
    );
  });
});

describe('GET /bots', () => {
  test('names no channel that the owner may no longer see', async () => {
    const { alice, bob } = await realm();
    await emptyChannel(bob, 'plans', [bob, alice], { invite_only: true });
    await subscribe(alice, 'news');
    const defaults = { default_sending_stream: 'plans', default_events_register_stream: 'news' };
    const made = await make(alice, defaults);
    expect((await alice.get('/bots')).bots).toMatchObject([defaults]);
    await leave(alice, ['plans']);
    await succeed(bob.patch(`/streams/${await channelId(bob, 'plans')}`, { new_name: 'layoffs' }));
    const visible = { ...defaults, default_sending_stream: null };
    expect((await alice.get('/bots')).bots).toMatchObject([visible]);
    expect(await alice.patch(`/bots/${made.user_id}`, { full_name: 'R' })).toMatchObject(visible);
  });
});

describe('DELETE /bots/{bot_id} and its key', () => {
  test('a new key ends the old one, and the end of the bot ends both', async () => {
    const { alice, admin } = await realm();
    const made = await make(alice);
    const old = await asBot(alice, made);
    expect((await old('GET', '/users/me')).status).toBe(200);
    const { api_key } = await alice.post(`/bots/${made.user_id}/api_key/regenerate`);
    expect((await old('GET', '/users/me')).status).toBe(401);
    const fresh = await asBot(alice, { ...made, api_key });
    expect((await fresh('GET', '/users/me')).status).toBe(200);
    expect(await alice.delete(`/bots/${made.user_id}`)).toMatchObject({ result: 'success' });
    expect((await fresh('GET', '/users/me')).status).toBe(401);
    expect((await alice.get('/bots')).bots).toEqual([]);
    await make(alice, { short_name: 'other' });
    expect(await admin.post(`/users/${made.user_id}/reactivate`)).toMatchObject({
      msg: 'Another bot already has this name.',
    });
  });
});
