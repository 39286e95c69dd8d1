import { connect } from 'node:net';

import { describe, expect, test } from 'vitest';

import { eventually } from '../testing/eventually.ts';
import { fakeNode } from '../testing/fake-node.ts';
import { rawRequest } from '../testing/raw-http.ts';
import { ask, poll, proxies, proxyTo } from './proxy-to.test-support.ts';

describe.each(proxies)('the %s proxy', (kind) => {
  test('sends polls to queue nodes and everything else to api nodes', async () => {
    await using api = await fakeNode('api');
    await using queue = await fakeNode('queue');
    await using proxy = await proxyTo(kind, { api: [api], queue: [queue] });

    expect(await ask(`${proxy.url}${poll}`)).toBe('queue');
    expect(await ask(`${proxy.url}/api/v1/events?queue_id=q1`, { method: 'DELETE' })).toBe('queue');
    expect(await ask(`${proxy.url}/api/v1/events`, { method: 'DELETE', body: 'queue_id=q1' })).toBe('queue');
    expect(await ask(`${proxy.url}/api/v1/events?event_types=["message"]`)).toBe('api');
    expect(await ask(`${proxy.url}/api/v1/messages?queue_id=q1`)).toBe('api');
    for (const method of ['POST', 'PATCH', 'PUT', 'DELETE', 'GET']) {
      expect(await ask(`${proxy.url}/api/v1/messages/1?a=%2F`, { method })).toBe('api');
    }
    const methods = api.requests.map(({ method }) => method);
    expect(methods).toEqual(['GET', 'GET', 'POST', 'PATCH', 'PUT', 'DELETE', 'GET']);
    expect(api.requests.at(-1)?.url).toBe('/api/v1/messages/1?a=%2F');
  });

  test('takes turns between queue nodes', async () => {
    await using one = await fakeNode('one');
    await using two = await fakeNode('two');
    await using proxy = await proxyTo(kind, { queue: [one, two] });

    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(`${proxy.url}${poll}`)));

    expect(new Set(answers)).toEqual(new Set(['one', 'two']));
  });

  test.each(['POST', 'DELETE'])(
    'passes a %s with its Host, its body and the address of the client',
    async (method) => {
      await using api = await fakeNode('api');
      await using proxy = await proxyTo(kind, { api: [api] });

      const body = 'content=Zażółć&to=general';
      const head = `${method} /api/v1/messages HTTP/1.1\r\nHost: zoo.localhost:1\r\nConnection: close\r\n`;
      const length = `X-Forwarded-For: 6.6.6.6\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
      const reply = await rawRequest(proxy.port, `${head}${length}${body}`);

      expect(reply).toMatch(/^HTTP\/1.1 200 OK/);
      const [request] = api.requests;
      expect(request).toMatchObject({
        method,
        body,
        headers: { host: 'zoo.localhost:1', 'x-forwarded-for': '6.6.6.6, 127.0.0.1' },
      });
    },
  );

  test('passes refusals of the api on as they are', async () => {
    await using api = await fakeNode('api', (_, outgoing) => {
      outgoing
        .writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '7' })
        .end('{"mine":true}');
    });
    await using proxy = await proxyTo(kind, { api: [api] });

    const reply = await fetch(proxy.url);

    expect([reply.status, reply.headers.get('retry-after'), await reply.json()]).toEqual([
      503,
      '7',
      { mine: true },
    ]);
  });
});

test('the nginx proxy passes on what arrives of an upload that can be resumed', async () => {
  await using api = await fakeNode('api');
  await using proxy = await proxyTo('nginx', { api: [api] });
  const client = connect({ host: '127.0.0.1', port: proxy.port });
  client.on('error', () => undefined);
  client.write(
    'PATCH /api/v1/tus/x HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000000\r\n\r\nthe first bytes',
  );
  await eventually(() => api.arrived() === 'the first bytes');
  client.destroy();
});

test('the compose proxy lets no client say which trace a request belongs to', async () => {
  await using api = await fakeNode('api');
  await using proxy = await proxyTo('compose', { api: [api] });
  const headers = {
    traceparent: '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01',
    tracestate: 'a=b',
  };

  for (const method of ['GET', 'DELETE']) await ask(proxy.url, { method, headers });

  expect(api.requests).toHaveLength(2);
  for (const request of api.requests) expect(Object.keys(request.headers)).not.toContain('traceparent');
  for (const request of api.requests) expect(Object.keys(request.headers)).not.toContain('tracestate');
});

test.runIf(process.platform === 'linux')(
  'the nginx proxy connects to nodes from all its addresses',
  async () => {
    const sources = ['127.0.0.2', '127.0.0.3', '127.0.0.4'];
    const from = new Set<string | undefined>();
    await using queue = await fakeNode('queue', ({ socket }, outgoing) => {
      from.add(socket.remoteAddress);
      outgoing.setHeader('Connection', 'close').end('queue');
    });
    await using proxy = await proxyTo('nginx', { queue: [queue], sources });

    await Promise.all(Array.from({ length: 100 }, () => ask(`${proxy.url}${poll}`)));

    expect(from).toEqual(new Set(sources));
    expect(new Set(queue.requests.map(({ headers }) => headers['x-forwarded-for']))).toEqual(
      new Set(['127.0.0.1']),
    );
  },
);
