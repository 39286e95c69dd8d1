import { describe, expect, test } from 'vitest';

import { fakeNode } from '../testing/fake-node.ts';
import { ask, poll, proxyTo } from '../testing/proxy-to.ts';
import { bodyOf, rawRequest } from '../testing/raw-http.ts';
import type { ProxyKind } from './proxy-options.ts';

const notReady = { result: 'error', msg: expect.any(String), code: 'SERVER_NOT_READY' };
const refused = { result: 'error', msg: expect.any(String), code: 'BAD_REQUEST' };

describe.each<ProxyKind>(['nginx', 'node'])('the %s proxy', (kind) => {
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

  test('takes 100 MiB and refuses much more, in JSON', async () => {
    await using api = await fakeNode('api', (_, outgoing) => void outgoing.end('stored'));
    await using proxy = await proxyTo(kind, { api: [api] });

    const mebibytes = (count: number) => ({ method: 'POST', body: new Uint8Array(count * 1024 * 1024) });
    expect(await ask(proxy.url, mebibytes(100))).toBe('stored');
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 160000000\r\n\r\n';
    const reply = await rawRequest(proxy.port, head);

    expect(reply).toMatch(/^HTTP\/1.1 413 /);
    expect(bodyOf(reply)).toEqual(refused);
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
