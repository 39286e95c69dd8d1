import { connect } from 'node:net';

import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';

import { freePort } from '../machine/free-port.ts';
import { fakeNode, type FakeNode } from '../testing/fake-node.ts';
import { temporaryFolder, type TemporaryFolder } from '../testing/temporary-folder.ts';
import { startProxy, type ProxyKind } from './start-proxy.ts';

let folder: TemporaryFolder;
beforeAll(async () => {
  folder = await temporaryFolder();
});
afterAll(() => folder[Symbol.asyncDispose]());

const notReady = { result: 'error', msg: expect.any(String), code: 'SERVER_NOT_READY' };
const refused = { result: 'error', msg: expect.any(String), code: 'BAD_REQUEST' };
const poll = '/api/v1/events?queue_id=q1&last_event_id=-1';

describe.each<ProxyKind>(['nginx', 'node'])('the %s proxy', (kind) => {
  async function proxyTo({ api = [], queue = [] }: { api?: FakeNode[]; queue?: FakeNode[] }) {
    const port = await freePort();
    const portsOf = (nodes: FakeNode[]) => nodes.map((node) => node.port);
    const dir = `${folder.path}/${port}`;
    const proxy = await startProxy({
      dir,
      port,
      kind,
      api: portsOf(api),
      queue: portsOf(queue),
      say: () => {},
    });
    return { ...proxy, port, url: `http://127.0.0.1:${port}` };
  }

  const ask = async (url: string, init?: RequestInit) => (await fetch(url, init)).text();

  test('sends polls to queue nodes and everything else to api nodes', async () => {
    await using api = await fakeNode('api');
    await using queue = await fakeNode('queue');
    await using proxy = await proxyTo({ api: [api], queue: [queue] });

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
    await using proxy = await proxyTo({ queue: [one, two] });

    const answers = await Promise.all(Array.from({ length: 20 }, () => ask(`${proxy.url}${poll}`)));

    expect(new Set(answers)).toEqual(new Set(['one', 'two']));
  });

  test.each(['POST', 'DELETE'])(
    'passes a %s with its Host, its body and the address of the client',
    async (method) => {
      await using api = await fakeNode('api');
      await using proxy = await proxyTo({ api: [api] });

      const body = 'content=Zażółć&to=general';
      const head = `${method} /api/v1/messages HTTP/1.1\r\nHost: zoo.localhost:1\r\nConnection: close\r\n`;
      const length = `X-Forwarded-For: 6.6.6.6\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`;
      const reply = await raw(proxy.port, `${head}${length}${body}`);

      expect(reply).toMatch(/^HTTP\/1.1 200 OK/);
      const [request] = api.requests;
      expect(request).toMatchObject({
        method,
        body,
        headers: { host: 'zoo.localhost:1', 'x-forwarded-for': '127.0.0.1' },
      });
    },
  );

  test('passes refusals of the api on as they are', async () => {
    await using api = await fakeNode('api', (_, outgoing) => {
      outgoing
        .writeHead(503, { 'Content-Type': 'application/json', 'Retry-After': '7' })
        .end('{"mine":true}');
    });
    await using proxy = await proxyTo({ api: [api] });

    const reply = await fetch(proxy.url);

    expect([reply.status, reply.headers.get('retry-after'), await reply.json()]).toEqual([
      503,
      '7',
      { mine: true },
    ]);
  });

  test.each(['GET', 'POST', 'PATCH', 'DELETE'])('a %s never meets a node that is down', async (method) => {
    await using dead = await fakeNode('dead');
    await using alive = await fakeNode('alive');
    await using proxy = await proxyTo({ api: [dead, alive] });
    await Promise.all(Array.from({ length: 10 }, () => ask(`${proxy.url}/`)));
    await dead.die();

    for (let request = 0; request < 10; request += 1) {
      expect(await ask(`${proxy.url}/`, { method })).toBe('alive');
    }
  });

  test('a poll that was parked on a node that dies goes on at another', async () => {
    await using dying = await fakeNode('dying', () => {});
    await using heir = await fakeNode('heir', () => {});
    await using proxy = await proxyTo({ queue: [dying, heir] });

    const polls = Promise.all(Array.from({ length: 8 }, () => ask(`${proxy.url}${poll}`)));
    await vi.waitUntil(() => dying.requests.length + heir.requests.length === 8);
    const before = heir.requests.length;
    await dying.die();
    await vi.waitUntil(() => heir.requests.length === 8);
    await heir.die();

    expect(before).toBeLessThan(8);
    for (const answer of await polls) expect(JSON.parse(answer)).toEqual(notReady);
  });

  test.each(['POST', 'PATCH', 'PUT', 'DELETE'])(
    'a %s is not repeated when its node dies over it',
    async (method) => {
      const cut = (incoming: { socket: { destroy(): unknown } }) => void incoming.socket.destroy();
      await using one = await fakeNode('one', cut);
      await using two = await fakeNode('two', cut);
      await using proxy = await proxyTo({ api: [one, two], queue: [one, two] });

      for (const path of ['/api/v1/messages', '/api/v1/events']) {
        one.requests.length = 0;
        two.requests.length = 0;
        const request = { method, body: 'a=1' };
        const reply = await fetch(`${proxy.url}${path}`, request);
        expect(reply.status).toBe(503);
        expect(await reply.json()).toEqual(notReady);
        expect(one.requests.length + two.requests.length).toBe(1);
      }
    },
  );

  test('says in JSON when to come back while no node answers', async () => {
    await using proxy = await proxyTo({});
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

  test('takes 25 MiB and refuses much more, in JSON', async () => {
    await using api = await fakeNode('api', (_, outgoing) => void outgoing.end('stored'));
    await using proxy = await proxyTo({ api: [api] });

    const mebibytes = (count: number) => ({ method: 'POST', body: new Uint8Array(count * 1024 * 1024) });
    expect(await ask(proxy.url, mebibytes(25))).toBe('stored');
    const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 40000000\r\n\r\n';
    const reply = await raw(proxy.port, head);

    expect(reply).toMatch(/^HTTP\/1.1 413 /);
    expect(bodyOf(reply)).toEqual(refused);
  });

  test.each([
    ['garbage', 'NONSENSE\r\n\r\n', '400'],
    ['a request without a host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', '400'],
    ['a header without an end', `GET / HTTP/1.1\r\nHost: a\r\nX-Long: ${'x'.repeat(60_000)}\r\n\r\n`, '431'],
  ])('answers %s in JSON', async (_, request, status) => {
    await using api = await fakeNode('api');
    await using proxy = await proxyTo({ api: [api] });

    const reply = await raw(proxy.port, request);

    expect(reply.split(' ')[1]).toBe(status);
    expect(bodyOf(reply)).toEqual(refused);
  });

  test('tells the node when the client has gone', async () => {
    let gone = 0;
    await using queue = await fakeNode(
      'queue',
      (incoming) => void incoming.socket.on('close', () => (gone += 1)),
    );
    await using proxy = await proxyTo({ queue: [queue] });

    const client = new AbortController();
    const parked = fetch(`${proxy.url}${poll}`, { signal: client.signal }).catch(() => 'aborted');
    await vi.waitUntil(() => queue.requests.length === 1);
    client.abort();

    expect(await parked).toBe('aborted');
    await vi.waitUntil(() => gone === 1);
  });

  test('comes back when it is killed', async () => {
    await using api = await fakeNode('api');
    await using proxy = await proxyTo({ api: [api] });
    expect(await ask(proxy.url)).toBe('api');

    proxy.kill('SIGKILL');

    await vi.waitUntil(
      () =>
        ask(proxy.url).then(
          (name) => name === 'api',
          () => false,
        ),
      { timeout: 5_000 },
    );
  });
});

/** What a server says to these bytes until it ends the connection, or has said enough. */
async function raw(port: number, bytes: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  socket.setTimeout(5_000, () => socket.destroy());
  let reply = '';
  for await (const chunk of socket) {
    reply += String(chunk);
    const length = Number(/content-length: (\d+)/i.exec(reply)?.[1] ?? Number.NaN);
    if (reply.split('\r\n\r\n')[1]?.length === length) break;
  }
  return reply;
}

function bodyOf(reply: string): unknown {
  return JSON.parse(reply.slice(reply.indexOf('\r\n\r\n') + 4));
}
