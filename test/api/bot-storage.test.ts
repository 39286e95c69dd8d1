import { describe, expect, test } from 'vitest';

import { type Person, done, outcomeOf, realm, refused } from '../support/index.ts';

const ask = async (by: Person, method: string, params: object = {}) =>
  (await by.ask(method, '/bot_storage', { ...params })).body;

describe('/bot_storage', () => {
  test('keeps texts by key, of each account its own', async () => {
    const { bot, alice } = await realm();
    const put = (storage: object) => ask(bot, 'PUT', { storage });
    expect(await put({ count: '1', 'a key': '{"x": [1, "\\u0000"]}' })).toEqual(done);
    expect(await put({ count: '2', __proto__x: 'x' })).toEqual(done);
    expect(await ask(bot, 'GET', { keys: ['count'] })).toEqual({ ...done, storage: { count: '2' } });
    const all = { count: '2', 'a key': '{"x": [1, "\\u0000"]}', __proto__x: 'x' };
    expect(await ask(bot, 'GET')).toEqual({ ...done, storage: all });
    expect(await ask(alice, 'GET')).toEqual({ ...done, storage: {} });
    expect(await ask(alice, 'PUT', { storage: { count: 'mine' } })).toEqual(done);

    expect(await ask(bot, 'DELETE', { keys: ['count'] })).toEqual(done);
    expect(await ask(bot, 'GET', { keys: [] })).toEqual({ ...done, storage: {} });
    expect(Object.keys((await ask(bot, 'GET')).storage)).toEqual(['__proto__x', 'a key']);
    expect(await ask(bot, 'DELETE')).toEqual(done);
    expect(await ask(bot, 'GET')).toEqual({ ...done, storage: {} });
    expect(await ask(alice, 'GET')).toEqual({ ...done, storage: { count: 'mine' } });
  });

  test('knows the keys that it has, also those that objects have by themselves', async () => {
    const { bot } = await realm();
    const missing = refused('Nothing is stored under this key.');
    await ask(bot, 'PUT', { storage: { a: '1', b: '2' } });
    expect(await ask(bot, 'GET', { keys: ['a', 'toString'] })).toEqual(missing);
    expect(await ask(bot, 'DELETE', { keys: ['a', 'c'] })).toEqual(missing);
    expect(await ask(bot, 'GET', { keys: ['a', 'a'] })).toMatchObject({ storage: { a: '1' } });
    expect(await ask(bot, 'PUT', { storage: '{"__proto__":"x"}' })).toEqual(done);
    const { storage } = await ask(bot, 'GET', { keys: ['__proto__'] });
    expect(Object.entries(storage)).toEqual([['__proto__', 'x']]);
  });

  test('refuses what it cannot keep', async () => {
    const { bot } = await realm();
    const put = async (storage: unknown) => outcomeOf(await ask(bot, 'PUT', { storage }));
    expect(await put({ a: 'x', b: 1 })).toBe('storage[1][1] must be a string.');
    expect(await put(['a'])).toBe('storage must be an object.');
    expect(await put({ a: 'x\0' })).toBe('storage[0][1] contains a null character.');
    expect(await put({ ['k'.repeat(501)]: '' })).toBe('storage[0][0] can have at most 500 characters.');
    expect((await ask(bot, 'GET')).storage).toEqual({});
  });

  test('is bounded in characters, of which the keys are some, and in bytes', async () => {
    const { bot, alice } = await realm();
    const part = 'x'.repeat(500_000 - 2);
    const put = (by: Person, key: string, value: string) => ask(by, 'PUT', { storage: { [key]: value } });
    for (let index = 10; index < 30; index += 1) {
      expect(await put(bot, String(index), part)).toEqual(done);
    }
    expect(await put(bot, 'ab', 'c')).toEqual(
      refused('A bot can store at most 10000000 characters. This request goes 3 over that limit.'),
    );
    expect(await put(bot, '10', part.slice(3))).toEqual(done);
    expect(await put(bot, 'ab', 'c')).toEqual(done);

    const wide = '\u0001'.repeat(85_000);
    let outcome = 'ok';
    for (let index = 0; outcome === 'ok' && index < 100; index += 1) {
      outcome = outcomeOf(await put(alice, String(index), wide));
    }
    expect(outcome).toBe('A bot can store at most 33554432 bytes.');
  });

  test('is bounded in keys', async () => {
    const { bot } = await realm();
    const keys = (from: number, count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [from + index, '']));
    expect(outcomeOf(await ask(bot, 'PUT', { storage: keys(0, 10_001) }))).toBe('storage is too long.');
    expect(await ask(bot, 'PUT', { storage: keys(0, 10_000) })).toEqual(done);
    expect(outcomeOf(await ask(bot, 'PUT', { storage: keys(10_000, 1) }))).toBe(
      'A bot can store at most 10000 keys.',
    );
    expect(await ask(bot, 'PUT', { storage: keys(0, 10) })).toEqual(done);
  });
});
