import { describe, expect, test } from 'vitest';

import { eventually } from '../testing/eventually.ts';
import { fakeNode } from '../testing/fake-node.ts';
import { bodyOf, rawRequest } from '../testing/raw-http.ts';
import { ask, poll, proxies, proxyTo } from './proxy-to.test-support.ts';

const notReady = { result: 'error', msg: expect.any(String), code: 'SERVER_NOT_READY' };
const refused = { result: 'error', msg: expect.any(String), code: 'BAD_REQUEST' };

describe.each(proxies)('the %s proxy', (kind) => {
  test('says in JSON when to come back while no node answers', async () => {
    await using proxy = await proxyTo(kind, {});
    for (const path of ['/', '/api/v1/messages', poll]) {
      for (const method of ['GET', 'POST', 'DELETE']) {
        const reply = await fetch(`${proxy.url}${path}`, { method });
        expect(reply.status).toBe(503);
        expect(reply.headers.get('retry-after')).toBe('1');
        expect(reply.headers.get('content-type')).toBe('application/json');
        expect(await reply.json()).toEqual(notReady);
      }
    }
  });

  test('takes files of 100 MiB, and of all else no more than 1 MiB, in JSON', async () => {
    await using api = await fakeNode('api', (_, outgoing) => void outgoing.end('stored'));
    await using proxy = await proxyTo(kind, { api: [api] });

    const mebibytes = (count: number) => ({ method: 'POST', body: new Uint8Array(count * 1024 * 1024) });
    expect(await ask(`${proxy.url}/api/v1/user_uploads`, mebibytes(100))).toBe('stored');
    expect(await ask(`${proxy.url}/api/v1/tus/x`, { ...mebibytes(100), method: 'PATCH' })).toBe('stored');
    expect(await ask(`${proxy.url}/api/v1/realm/emoji/x`, mebibytes(5))).toBe('stored');
    expect(await ask(proxy.url, mebibytes(1))).toBe('stored');
    for (const [path, bytes] of [
      ['/api/v1/user_uploads', 160_000_000],
      ['/api/v1/users/me/avatar', 7_000_000],
      ['/api/v1/realm/emoji/x', 7_000_000],
      ['/api/v1/realm/emoji', 1_100_000],
      ['/api/v1/messages', 1_100_000],
    ]) {
      const head = `POST ${path} HTTP/1.1\r\nHost: localhost\r\nContent-Length: ${bytes}\r\n\r\n`;
      const reply = await rawRequest(proxy.port, head);
      expect(reply).toMatch(/^HTTP\/1.1 413 /);
      expect(bodyOf(reply)).toEqual(refused);
    }
  });

  test('serves an address only so many requests at once', async () => {
    await using queue = await fakeNode('queue', () => {});
    await using proxy = await proxyTo(kind, { queue: [queue], connectionsPerAddress: 2 });
    const client = new AbortController();
    const parked = [1, 2].map(() =>
      fetch(`${proxy.url}${poll}`, { signal: client.signal }).catch(() => null),
    );
    await eventually(() => queue.requests.length === 2);

    const reply = await fetch(`${proxy.url}${poll}`);
    expect([reply.status, reply.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await reply.json()).toMatchObject({ code: 'RATE_LIMIT_HIT', 'retry-after': 1 });

    client.abort();
    await Promise.all(parked);
    await eventually(async () => (await fetch(`${proxy.url}/api/v1/messages`)).status === 503);
  });

  test.each([
    ['garbage', 'NONSENSE\r\n\r\n', '400'],
    ['a request without a host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', '400'],
    ['a header without an end', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(200_000)}\r\n\r\n`, '431'],
  ])('answers %s in JSON', async (_, request, status) => {
    await using api = await fakeNode('api');
    await using proxy = await proxyTo(kind, { api: [api] });

    const reply = await rawRequest(proxy.port, request);

    expect(reply.split(' ')[1]).toBe(status);
    expect(bodyOf(reply)).toEqual(refused);
  });
});
