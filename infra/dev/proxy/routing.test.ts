import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';

import { describe, expect, test } from 'vitest';

import { freePort } from '../machine/free-port.ts';
import { eventually } from '../testing/eventually.ts';
import { fakeNode } from '../testing/fake-node.ts';
import { rawRequest } from '../testing/raw-http.ts';
import { ask, poll, pollOf, proxies, proxyTo } from './proxy-to.test-support.ts';

/** Ids of queues as API nodes make them: some of each bucket of a realm. */
const queuesOf = (realmId: number, buckets: number) =>
  Array.from({ length: 2 * buckets }, (_, index) => {
    const random = randomUUID().replaceAll('-', '');
    return `${realmId.toString(36)}_${(index % buckets).toString(36)}-${random}`;
  });

async function someNodes(count: number) {
  const all = await Promise.all(Array.from({ length: count }, (_, index) => fakeNode(`node ${index}`)));
  return { all, [Symbol.asyncDispose]: async () => void (await Promise.all(all.map((node) => node.die()))) };
}

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

  test('keeps the queues of a bucket on one node, and all buckets on all nodes', async () => {
    await using nodes = await someNodes(6);
    await using proxy = await proxyTo(kind, { queue: nodes.all });
    const askAll = (ids: readonly string[], method = 'GET') =>
      Promise.all(ids.map((id) => ask(`${proxy.url}${pollOf(id)}`, { method })));
    const others = Array.from({ length: 8 }, (_, index) => `1z_1-${index}-x`);

    const small = await askAll(queuesOf(1, 2));
    const again = await askAll(queuesOf(1, 2));
    const large = await askAll(queuesOf(2, 60));

    expect(new Set(small).size).toBeLessThanOrEqual(2);
    expect(again).toEqual(small);
    expect(new Set(await askAll(others))).toHaveLength(1);
    expect(await askAll(others, 'DELETE')).toEqual(await askAll(others));
    expect(new Set(large).size).toBe(6);
  });

  test('spreads queues whose ids begin with no realm, and requests without an id', async () => {
    await using nodes = await someNodes(2);
    await using proxy = await proxyTo(kind, { queue: nodes.all });
    const both = new Set(['node 0', 'node 1']);

    const ofOlder = Array.from({ length: 40 }, () => ask(`${proxy.url}${pollOf(randomUUID())}`));
    const unknown = Array.from({ length: 40 }, (_, index) => ask(`${proxy.url}${pollOf(`q${index}`)}`));
    const inBodies = Array.from({ length: 40 }, () =>
      ask(`${proxy.url}/api/v1/events`, { method: 'DELETE', body: 'queue_id=1_1-x' }),
    );

    for (const answers of [ofOlder, unknown, inBodies]) {
      expect(new Set(await Promise.all(answers))).toEqual(both);
    }
  });

  test('a bucket whose node is gone moves to another, and comes back', async () => {
    await using nodes = await someNodes(3);
    await using proxy = await proxyTo(kind, { queue: nodes.all });
    const askAll = () => Promise.all(queuesOf(1, 12).map((id) => ask(`${proxy.url}${pollOf(id)}`)));
    const before = await askAll();
    const gone = nodes.all.find(({ name }) => name === before[0]);
    if (!gone) throw new Error('No node has answered.');

    await gone.die();
    const meanwhile = await askAll();
    await using back = await fakeNode(gone.name, undefined, gone.port);

    expect(meanwhile).not.toContain(gone.name);
    const stayed = before.map((name, index) => (name === gone.name ? name : meanwhile[index]));
    expect(stayed).toEqual(before);
    expect(await askAll()).toEqual(before);
    expect(back.requests).toHaveLength(before.filter((name) => name === gone.name).length);
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

test('the nginx proxy spreads polls evenly where nodes may come later', async () => {
  const [count, places, perNode] = [12, 16, 200];
  await using nodes = await someNodes(count);
  const spare = {
    api: [],
    queue: await Promise.all(Array.from({ length: places - count }, () => freePort())),
  };
  await using proxy = await proxyTo('nginx', { queue: nodes.all, spare });
  const polls = Array.from({ length: count * perNode }, () => `${proxy.url}${pollOf(randomUUID())}`);

  const answers: string[] = [];
  for (let first = 0; first < polls.length; first += perNode) {
    const some = polls.slice(first, first + perNode);
    answers.push(...(await Promise.all(some.map((url) => ask(url)))));
  }

  const most = Math.max(...nodes.all.map(({ name }) => answers.filter((answer) => answer === name).length));
  expect(answers).toHaveLength(count * perNode);
  expect(most / perNode).toBeLessThan(1.7);
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
