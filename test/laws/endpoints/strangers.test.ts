import { beforeAll, describe, expect, test } from 'vitest';

import { type Person, type TestRealm, basic, call, getWorld, realm } from '../../support/index.ts';

describe('requests that are no requests of anybody’s', () => {
  let home: TestRealm['realm'];
  let alice: Person;
  beforeAll(async () => {
    ({ realm: home, alice } = await realm());
  });

  test.each([
    ['an address with a broken escape', 'GET', '/api/v1/messages/%zz'],
    ['an address with a NUL', 'GET', '/api/v1/messages/%00'],
    ['an address that leaves the API', 'GET', '/api/v1/../../etc/passwd'],
    ['an address at which nothing is', 'GET', '/nowhere'],
    ['a method of no endpoint', 'PUT', '/api/v1/messages'],
  ])('%s is answered with a documented error', async (_, method, path) => {
    const { ports } = await getWorld();
    const headers = { Host: home.host, Authorization: basic(alice.email, alice.apiKey) };
    const { status, body, text } = await call({ port: ports.api, method, path, headers });
    expect(status, text).toBeGreaterThanOrEqual(400);
    expect(status, text).toBeLessThan(500);
    expect(body, text).toMatchObject({ result: 'error', msg: expect.any(String) });
  });

  test('credentials and hosts of any kind are refused, not stumbled over', async () => {
    const { ports } = await getWorld();
    const texts = ['a\0b:c', `${alice.email}:`, ':', '\0:\0', `${'x'.repeat(9000)}:${'y'.repeat(32)}`];
    for (const text of texts) {
      const authorization = `Basic ${Buffer.from(text).toString('base64')}`;
      const headers = { Host: home.host, Authorization: authorization };
      const reply = await call({ port: ports.api, method: 'GET', path: '/api/v1/users/me', headers });
      expect([reply.status, reply.body.code], text).toEqual([401, 'UNAUTHORIZED']);
    }
    for (const host of [
      'a b.localhost',
      '%00.localhost',
      '..localhost',
      'x'.repeat(300),
      "'--.localhost",
      '[::1]',
    ]) {
      const reply = await call({
        port: ports.api,
        method: 'GET',
        path: '/api/v1/users/me',
        headers: { Host: host },
      });
      expect(reply.status, `${host}: ${reply.text}`).toBeGreaterThanOrEqual(400);
      expect(reply.status, `${host}: ${reply.text}`).toBeLessThan(500);
    }
  });
});
