import { describe, expect, test } from 'vitest';

import {
  type Json,
  type Person,
  basic,
  leave,
  letManageAccounts,
  realm,
  say,
  subscribe,
  succeed,
  tell,
} from '../support/index.ts';

describe('GET /users/me', () => {
  test('is the account of whoever asks', async () => {
    const { owner, alice, guest, bot } = await realm();
    expect(await alice.get('/users/me')).toMatchObject({
      user_id: alice.id,
      email: alice.email,
      full_name: 'Alice',
      role: 400,
      is_bot: false,
      is_active: true,
      profile_data: {},
      max_message_id: -1,
    });
    expect(await owner.get('/users/me')).toMatchObject({ is_owner: true, is_admin: true, role: 100 });
    expect(await guest.get('/users/me')).toMatchObject({ is_guest: true, role: 600 });
    const me = await bot.get('/users/me');
    expect(me).toMatchObject({ is_bot: true, bot_type: 1, bot_owner_id: owner.id });
    expect(me).not.toHaveProperty('profile_data');
  });

  test('names the newest message that was received, not one sent elsewhere', async () => {
    const { alice, bob, carol } = await realm();
    const id = await tell(bob, [alice], 'for Alice');
    await tell(bob, [carol], 'for Carol');
    expect((await alice.get('/users/me')).max_message_id).toBe(id);
  });

  test('names no message that was sent while somebody had left', async () => {
    const { alice, bob } = await realm();
    await subscribe(alice, 'news', [alice, bob]);
    const id = await say(bob, 'news');
    await leave(alice, ['news']);
    await say(bob, 'news');
    await subscribe(alice, 'news', [alice]);
    expect((await alice.get('/users/me')).max_message_id).toBe(id);
  });
});

describe('GET /users', () => {
  test('lists everyone, those who left too, and of some ids those that are somebody’s', async () => {
    const { alice, bob, carol, admin, bot, owner } = await realm();
    const other = await realm();
    await admin.delete(`/users/${carol.id}`);
    const { members } = await alice.get('/users', { client_gravatar: false });
    expect(members).toHaveLength(8);
    expect(members.find((user: Json) => user.user_id === carol.id)).toMatchObject({ is_active: false });
    expect(members.find((user: Json) => user.user_id === bot.id)).toMatchObject({ bot_owner_id: owner.id });
    expect(members[0]).not.toHaveProperty('profile_data');
    expect(members[0].avatar_url).toMatch(/^https:/);
    const some = await alice.get('/users', { user_ids: [bob.id, other.alice.id, -1, 2_147_483_999] });
    expect(some.members.map((user: Json) => user.user_id)).toEqual([bob.id]);
    expect(some.members[0].avatar_url).toBe(null);
    expect((await alice.get('/users', { user_ids: [] })).members).toEqual([]);
    const withFields = await alice.get('/users', { include_custom_profile_fields: true });
    expect(withFields.members[0].profile_data).toEqual({});
  });
});

describe('GET /users/{user_id} and /users/{email}', () => {
  test('find a user by id, by the placeholder address, and by a real one that may be known', async () => {
    const { alice, bob, admin } = await realm();
    const other = await realm();
    const placeholder = `user${bob.id}@${bob.realm.host}`;
    for (const which of [bob.id, placeholder, placeholder.toUpperCase(), bob.email]) {
      const { user } = await alice.get(`/users/${which}`);
      expect(user).toMatchObject({ user_id: bob.id, delivery_email: bob.email, is_active: true });
    }
    const shown = async (client_gravatar: boolean) =>
      (await alice.get(`/users/${placeholder}`, { client_gravatar })).user.avatar_url;
    expect([await shown(true), await shown(false)]).toEqual([null, expect.stringContaining('/avatar/')]);
    await bob.patch('/settings', { email_address_visibility: 3 });
    expect(await alice.get(`/users/${bob.email}`)).toMatchObject({
      code: 'BAD_REQUEST',
      msg: 'This user does not exist.',
    });
    expect((await alice.get(`/users/${placeholder}`)).user).toMatchObject({
      email: placeholder,
      delivery_email: null,
    });
    expect((await admin.get(`/users/${bob.email}`)).user.delivery_email).toBe(bob.email);
    expect((await bob.get(`/users/${bob.email}`)).user.delivery_email).toBe(bob.email);
    for (const which of [
      other.bob.id,
      other.bob.email,
      `user${bob.id}@elsewhere.example`,
      '99999999999',
      'nobody@example.com',
    ]) {
      expect(await alice.get(`/users/${which}`)).toMatchObject({ msg: 'This user does not exist.' });
    }
  });
});

describe('POST /users', () => {
  test('makes an account that can log in, for an administrator whom the operator permits it', async () => {
    const { owner, alice, admin } = await realm();
    const fields = { email: 'new@example.com', password: 'correct horse', full_name: 'New' };
    expect(await owner.post('/users', fields)).toMatchObject({
      msg: 'You do not have permission to create accounts.',
    });
    await letManageAccounts(admin);
    await letManageAccounts(alice);
    expect(await alice.post('/users', fields)).toMatchObject({ code: 'UNAUTHORIZED_PRINCIPAL' });
    const { user_id } = await admin.post('/users', fields);
    const login = { username: fields.email, password: fields.password };
    expect(await alice.post('/fetch_api_key', login)).toMatchObject({ user_id });
    for (const [differing, msg] of [
      [{}, 'Another account already uses this email address.'],
      [{ email: 'nobody' }, 'Enter a valid email address.'],
      [
        { email: 'a@b.example', password: 'short' },
        'This password is too easy to guess. Choose a longer one.',
      ],
      [
        { email: 'a@b.example', password: 'password1' },
        'This password is too easy to guess. Choose a longer one.',
      ],
      [
        { email: 'zebrafish@b.example', password: 'Zebrafish' },
        'This password is too easy to guess. Choose a longer one.',
      ],
      [
        { email: 'a@b.example', password: '4@8({[<369#!1|0$57'.repeat(6) },
        'This password is too easy to guess. Choose a longer one.',
      ],
      [{ email: 'a@b.example', full_name: '' }, 'Enter a name.'],
    ] as const) {
      expect(await admin.post('/users', { ...fields, ...differing })).toMatchObject({ msg });
    }
  });
});

describe('PATCH /users/{user_id}', () => {
  test('changes a role: groups, channels and permissions follow in order', async () => {
    const { owner, alice, bob } = await realm();
    await subscribe(bob, 'open');
    const others = await bob.listen({ event_types: ['realm_user', 'user_group'] });
    const phone = await alice.listen();
    const { realm_user_groups } = await bob.post('/register', { fetch_event_types: ['realm_user_groups'] });
    const idOf = (name: string) => realm_user_groups.find((group: Json) => group.name === name).id;

    await owner.patch(`/users/${alice.id}`, { role: 600 });

    const groups = [
      { type: 'user_group', op: 'remove_members', group_id: idOf('role:fullmembers') },
      { type: 'user_group', op: 'remove_members', group_id: idOf('role:members') },
      { type: 'user_group', op: 'add_members', group_id: idOf('role:everyone'), user_ids: [alice.id] },
    ];
    const changed = { type: 'realm_user', op: 'update', person: { user_id: alice.id, role: 600 } };
    expect(await others.hears()).toMatchObject([changed, ...groups]);
    expect(await phone.hears()).toMatchObject([changed, ...groups, { type: 'stream', op: 'delete' }]);
    expect((await alice.get('/streams')).streams).toEqual([]);
    const to = { type: 'channel', to: 'open', topic: 't', content: 'x' };
    expect(await alice.post('/messages', to)).toMatchObject({ result: 'error' });

    await owner.patch(`/users/${alice.id}`, { role: 400 });
    expect((await phone.hears()).slice(-2)).toMatchObject([
      { type: 'stream', op: 'create', streams: [{ name: 'open' }] },
      { type: 'subscription', op: 'peer_add', user_ids: [bob.id] },
    ]);
  });

  test('owners are made and unmade by owners, and one is left', async () => {
    const { owner, admin, alice, guest, moderator } = await realm();
    const refusal = async (by: Person, user: Person, role: number) => {
      const { code, msg } = await by.patch(`/users/${user.id}`, { role });
      return [code, msg];
    };
    const forOwners = ['UNAUTHORIZED_PRINCIPAL', 'Only owners of the organization can do this.'];
    expect(await refusal(admin, alice, 100)).toEqual(forOwners);
    expect(await refusal(admin, owner, 400)).toEqual(forOwners);
    expect((await refusal(moderator, alice, 300))[0]).toBe('UNAUTHORIZED_PRINCIPAL');
    expect(await refusal(owner, owner, 400)).toEqual([
      'BAD_REQUEST',
      'An organization needs at least one owner, and this is its only one.',
    ]);
    expect((await refusal(owner, guest, 200))[0]).toBe('BAD_REQUEST');
    expect((await refusal(owner, alice, 500))[0]).toBe('BAD_REQUEST');
    expect(await refusal(owner, alice, 100)).toEqual([undefined, '']);
    expect(await refusal(alice, owner, 400)).toEqual([undefined, '']);
    const other = await realm();
    expect(await refusal(alice, other.bob, 300)).toEqual(['BAD_REQUEST', 'This user does not exist.']);
    const { cross_realm_bots } = await alice.post('/register', { fetch_event_types: ['realm_user'] });
    expect(await alice.patch(`/users/${cross_realm_bots[0].user_id}`, { full_name: 'x' })).toMatchObject({
      msg: 'This user does not exist.',
    });
  });

  test('two owners who unmake each other at the same moment leave one', async () => {
    const { owner, alice } = await realm();
    await owner.patch(`/users/${alice.id}`, { role: 100 });
    const replies = await Promise.all([
      owner.patch(`/users/${alice.id}`, { role: 400 }),
      alice.patch(`/users/${owner.id}`, { role: 400 }),
    ]);
    expect(replies.filter(({ result }) => result === 'success')).toHaveLength(1);
  });

  test('names are unique where the organization wants them so', async () => {
    const { owner, alice, bob, join } = await realm();
    await owner.patch('/realm', { require_unique_names: true });
    const refused = { msg: 'Another account already has this name.' };
    expect(await owner.patch(`/users/${alice.id}`, { full_name: 'BOB' })).toMatchObject(refused);
    expect(await alice.patch('/settings', { full_name: 'bob' })).toMatchObject(refused);
    expect(await bob.patch('/settings', { full_name: 'BOB' })).toMatchObject({ result: 'success' });
    await expect(join({ name: 'Bob', email: 'another@example.com' })).rejects.toThrow(refused.msg);
    await join({ name: 'İbrahim', email: 'ibrahim@example.com' });
    expect(await alice.patch('/settings', { full_name: 'İbrahim' })).toMatchObject(refused);
    await owner.patch('/realm', { name_changes_disabled: true });
    expect(await alice.patch('/settings', { full_name: 'Alina' })).toMatchObject({ result: 'success' });
    expect((await alice.get('/users/me')).full_name).toBe('Alice');
    await owner.patch('/settings', { full_name: 'Olga' });
    expect((await owner.get('/users/me')).full_name).toBe('Olga');
  });

  test('a new address takes the place of the old one in everything, the credentials first', async () => {
    const { owner, admin, alice, bob } = await realm();
    const edit = { new_email: 'alina@example.com' };
    expect(await owner.patch(`/users/${alice.id}`, edit)).toMatchObject({
      msg: "You do not have permission to change other people's email addresses.",
    });
    await letManageAccounts(owner);
    await letManageAccounts(admin);
    expect((await admin.patch(`/users/${alice.id}`, edit)).code).toBe('BAD_REQUEST');
    expect(await owner.patch(`/users/${alice.id}`, { new_email: 'x' })).toMatchObject({
      msg: 'Enter a valid email address.',
    });
    expect((await owner.patch(`/users/${alice.id}`, { new_email: bob.email.toUpperCase() })).code).toBe(
      'BAD_REQUEST',
    );
    const listener = await bob.listen();
    const own = await alice.listen();
    expect(await owner.patch(`/users/${alice.id}`, edit)).toMatchObject({ result: 'success' });
    expect((await listener.hears()).map(({ person }) => person)).toMatchObject([
      { user_id: alice.id, delivery_email: 'alina@example.com' },
      { user_id: alice.id, avatar_source: 'G' },
      { user_id: alice.id, new_email: 'alina@example.com' },
    ]);
    expect((await alice.ask('GET', '/users/me')).status).toBe(401);
    const to = { type: 'direct', to: [bob.id], content: 'x' };
    expect((await alice.ask('POST', '/messages', to)).status).toBe(401);
    expect((await own.poll({ dont_block: true })).result).toBe('error');
    const authorization = basic('alina@example.com', alice.apiKey);
    expect((await alice.ask('GET', '/users/me', {}, { authorization })).status).toBe(200);
  });
});

describe('DELETE /users/{user_id}', () => {
  test('ends the account, its bots, its queues and its keys at once', async () => {
    const { admin, alice, bob, join } = await realm();
    const robot = await join({ name: 'Robot', botType: 1, botOwnerId: alice.id });
    const both = { subscriptions: [{ name: 'news' }], principals: [alice.id, bob.id, robot.id] };
    await bob.post('/users/me/subscriptions', both);
    const send = { type: 'channel', to: 'news', topic: 't', content: 'x' };
    expect((await alice.post('/messages', send)).result).toBe('success');
    const waiting = await alice.listen();
    const witness = await bob.listen({ event_types: ['realm_user', 'subscription', 'user_group'] });
    const poll = alice.ask('GET', '/events', {
      queue_id: waiting.queueId,
      last_event_id: waiting.lastEventId,
      event_types: ['heartbeat'],
    });

    expect(await admin.delete(`/users/${alice.id}`)).toEqual({ result: 'success', msg: '' });

    const gone = (id: number) => [
      { type: 'subscription', op: 'peer_remove', user_ids: [id] },
      { type: 'realm_user', op: 'update', person: { user_id: id, is_active: false } },
    ];
    expect(await witness.hears()).toMatchObject([...gone(robot.id), ...gone(alice.id)]);
    expect((await poll).status).toBe(401);
    for (const person of [alice, robot]) {
      expect(await person.ask('GET', '/users/me')).toMatchObject({
        status: 401,
        body: { code: 'UNAUTHORIZED' },
      });
      expect((await person.ask('POST', '/messages', send)).status).toBe(401);
    }
    expect(await bob.post('/messages', { type: 'direct', to: [alice.id], content: 'x' })).toMatchObject({
      result: 'error',
    });
    const { realm_users, realm_non_active_users, realm_user_groups } = await bob.post('/register', {
      fetch_event_types: ['realm_user', 'realm_user_groups'],
    });
    const ids = (list: Json) => list.map((user: Json) => user.user_id);
    expect(ids(realm_users)).not.toContain(alice.id);
    expect(ids(realm_non_active_users)).toEqual([alice.id, robot.id]);
    expect(realm_user_groups.flatMap((group: Json) => group.members)).not.toContain(alice.id);
  });

  test('is for administrators, ends owners by owners only, and no account twice', async () => {
    const { owner, admin, moderator, alice, bot } = await realm();
    const other = await realm();
    const refusal = async (by: Person, user: Person) => (await by.delete(`/users/${user.id}`)).msg;
    expect(await refusal(moderator, alice)).toBe('Only administrators of the organization can do this.');
    expect(await refusal(admin, owner)).toBe('Only owners of the organization can do this.');
    expect(await refusal(owner, owner)).toBe(
      'An organization needs at least one owner, and this is its only one.',
    );
    expect(await refusal(admin, bot)).toBe('This user does not exist.');
    expect(await refusal(admin, other.alice)).toBe('This user does not exist.');
    expect(await refusal(admin, alice)).toBe('');
    expect(await refusal(admin, alice)).toBe('This user is deactivated.');
  });

  test('bots end themselves, and their owner is told', async () => {
    const { owner, bot } = await realm();
    const phone = await owner.listen({ event_types: ['realm_bot'] });
    await succeed(bot.delete('/users/me'));
    expect(await bot.get('/users/me')).toMatchObject({ msg: 'This account is deactivated.' });
    expect(await phone.hears()).toMatchObject([{ op: 'update', bot: { user_id: bot.id, is_active: false } }]);
  });
});

describe('POST /users/{user_id}/reactivate', () => {
  test('gives back the account with its subscriptions, without what was said meanwhile', async () => {
    const { admin, moderator, alice, bob } = await realm();
    await subscribe(bob, 'news', [alice, bob]);
    const say = async (content: string) =>
      await bob.post('/messages', { type: 'channel', to: 'news', topic: 't', content });
    await say('before');
    await alice.delete('/users/me');
    await say('meanwhile');
    const witness = await bob.listen({ event_types: ['realm_user', 'subscription', 'user_group'] });

    expect(await moderator.post(`/users/${alice.id}/reactivate`)).toMatchObject({
      code: 'UNAUTHORIZED_PRINCIPAL',
    });
    expect(await admin.post(`/users/${alice.id}/reactivate`)).toMatchObject({ result: 'success' });

    expect(await witness.hears()).toMatchObject([
      { type: 'realm_user', op: 'update', person: { user_id: alice.id, is_active: true } },
      { type: 'subscription', op: 'peer_add', user_ids: [alice.id] },
      { type: 'user_group', op: 'add_members', user_ids: [alice.id] },
      { type: 'user_group', op: 'add_members', user_ids: [alice.id] },
    ]);
    const phone = await alice.listen();
    await say('after');
    expect((await phone.hears()).map(({ message }) => message?.content).filter(Boolean)).toEqual(['after']);
    const { messages } = await alice.get('/messages', {
      anchor: 'newest',
      num_before: 10,
      apply_markdown: false,
    });
    expect(messages.map((message: Json) => message.content)).toEqual(['before', 'after']);
    expect(await admin.post(`/users/${alice.id}/reactivate`)).toMatchObject({ result: 'success' });
  });
});
