import { describe, expect, test } from 'vitest';

import { keyGenerationOf, realm, tell } from '../support/index.ts';

describe('POST /users/me/api_key/regenerate', () => {
  test('makes a new key, and the old one opens nothing any more', async () => {
    const { alice, bob } = await realm();
    const send = { type: 'direct', to: [bob.id], content: 'hello' };
    // So that whatever is remembered for quick sends is remembered.
    expect((await alice.post('/messages', send)).result).toBe('success');

    const { api_key } = await alice.post('/users/me/api_key/regenerate');

    expect(api_key).toMatch(/^[A-Za-z0-9]{32}$/);
    expect(api_key).not.toBe(alice.apiKey);
    expect(await alice.get('/users/me')).toMatchObject({
      code: 'UNAUTHORIZED',
      msg: 'This API key is not valid.',
    });
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
    await tell(bob, [alice], 'a secret');

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

  test('several programs that regenerate the key at once end all keys but one', async () => {
    const { alice } = await realm();
    const replies = await Promise.all([1, 2, 3].map(() => alice.post('/users/me/api_key/regenerate')));
    const keys = replies.flatMap(({ api_key }) => api_key ?? []);
    expect(await keyGenerationOf(alice)).toBe(1 + keys.length);
    expect(new Set(keys).size).toBe(keys.length);
    const valid = await Promise.all(keys.map((key) => alice.withKey(key).get('/users/me')));
    expect(valid.filter(({ result }) => result === 'success')).toHaveLength(1);
  });
});
