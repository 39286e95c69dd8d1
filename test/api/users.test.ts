import { describe, expect, test } from 'vitest';

import { getWorld, realm } from '../support/index.ts';

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
    const { id } = await bob.post('/messages', { type: 'direct', to: [alice.id], content: 'for Alice' });
    await bob.post('/messages', { type: 'direct', to: [carol.id], content: 'for Carol' });
    expect((await alice.get('/users/me')).max_message_id).toBe(id);
  });
});

describe('POST /users/me/api_key/regenerate', () => {
  test('makes a new key, and the old one opens nothing any more', async () => {
    const { alice, bob } = await realm();
    const send = { type: 'direct', to: [bob.id], content: 'hello' };
    // So that whatever is remembered for quick sends is remembered.
    expect((await alice.post('/messages', send)).result).toBe('success');

    const { api_key } = await alice.post('/users/me/api_key/regenerate');

    expect(api_key).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(api_key).not.toBe(alice.apiKey);
    expect(await alice.get('/users/me')).toMatchObject({ code: 'UNAUTHORIZED', msg: 'Invalid API key' });
    expect(await alice.post('/messages', send)).toMatchObject({ code: 'UNAUTHORIZED' });
    const renewed = alice.withKey(api_key);
    expect((await renewed.get('/users/me')).user_id).toBe(alice.id);
    expect((await renewed.post('/messages', send)).result).toBe('success');
  });

  test('concerns nobody else, and tells no client', async () => {
    const { alice, bob } = await realm();
    const listener = await bob.listen();
    await alice.post('/users/me/api_key/regenerate');
    expect(await listener.hears()).toEqual([]);
    expect((await bob.get('/users/me')).result).toBe('success');
  });

  test('ends the old key for queues that live', async () => {
    const { alice, bob } = await realm();
    const phone = await alice.listen();
    expect(await phone.hears()).toEqual([]);

    const { api_key } = await alice.post('/users/me/api_key/regenerate');
    await bob.post('/messages', { type: 'direct', to: [alice.id], content: 'a secret' });

    const old = { queue_id: phone.queueId, last_event_id: phone.lastEventId, dont_block: true };
    // The node must have read the log up to here before it can know.
    await bob.listen().then((listener) => listener.hears());
    expect(await alice.get('/events', old)).toMatchObject({ code: 'UNAUTHORIZED' });
    const { events } = await alice.withKey(api_key).get('/events', old);
    expect(events).toMatchObject([{ type: 'message', message: { content: 'a secret' } }]);
  });

  test('answers a poll that waits with the old key', async () => {
    const { alice } = await realm();
    const phone = await alice.listen();
    await phone.hears();
    const waiting = phone.poll();
    const { api_key } = await alice.post('/users/me/api_key/regenerate');
    expect(await waiting).toMatchObject({ code: 'UNAUTHORIZED' });
    const renewed = await alice.withKey(api_key).get('/events', {
      queue_id: phone.queueId,
      last_event_id: phone.lastEventId,
      dont_block: true,
    });
    expect(renewed).toMatchObject({ result: 'success', events: [] });
  });

  test('by several programs at once ends all keys but one', async () => {
    const { alice } = await realm();
    const replies = await Promise.all([1, 2, 3].map(() => alice.post('/users/me/api_key/regenerate')));
    const keys = replies.flatMap(({ api_key }) => api_key ?? []);
    const { sql } = await getWorld();
    const [row] = await sql<{ generation: number }[]>`
      select key_generation as generation from users where id = ${alice.id}`;
    expect(row?.generation).toBe(1 + keys.length);
    expect(new Set(keys).size).toBe(keys.length);
    const valid = await Promise.all(keys.map((key) => alice.withKey(key).get('/users/me')));
    expect(valid.filter(({ result }) => result === 'success')).toHaveLength(1);
  });
});
