import { type Socket, connect } from 'node:net';

import { afterEach, describe, expect, test, vi } from 'vitest';

import { queueOf } from '../core/fixtures.test-support.ts';
import { createLiveQueue } from '../queues/live-queue.ts';
import { createErrorHandler } from './error-handler.ts';
import { createEventsServer } from './events-server.ts';
import { TestExchange } from './exchange.test-support.ts';
import type { Exchange } from './exchange.ts';
import { createReferenceServer } from './reference-server.test-support.ts';
import { createRouter } from './route.ts';
import { sendJson } from './send-json.ts';

const clock = { nowMs: () => Date.now() };
const silent = { error: () => undefined, warn: () => undefined, info: () => undefined };
const opened: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of opened.splice(0)) await close();
});

/** A server that parks what asks for `/wait`, and answers `/echo` with what it was asked. */
async function startServer(create = createEventsServer) {
  const waiting: Exchange[] = [];
  const gone: Exchange[] = [];
  // Safe: these are the loggers and samplers that it uses.
  const deps = { logger: silent, logged: { isNext: () => false }, clock } as never;
  const echo = (exchange: Exchange, query: string, body: string) =>
    sendJson(exchange, 200, { method: exchange.head.method, host: exchange.head.host, query, body });
  const router = createRouter(
    {
      '/wait': { GET: (exchange) => waiting.push(exchange) },
      '/echo': { GET: echo, DELETE: echo },
      '/long': { GET: (exchange) => exchange.send(200, '', 'x'.repeat(4_000_000)) },
    },
    createErrorHandler(deps),
  );
  const server = create({
    onExchange: router.serve,
    onNodeExchange: router.serveNode,
    onGone: (exchange) => gone.push(exchange),
    isHttps: false,
    clock,
  });
  const port = await server.listen(0, '127.0.0.1');
  opened.push(() => server.close());
  return { server, port, waiting, gone };
}

/** A client that keeps what it hears. */
function open(port: number, { isDeaf = false } = {}) {
  const socket: Socket = connect({ port, host: '127.0.0.1', noDelay: true });
  const client = {
    socket,
    heard: '',
    isClosed: false,
    listen: () => socket.on('data', (chunk) => (client.heard += chunk.toString('latin1'))),
    send: (text: string) => socket.write(text, 'latin1'),
    /** Statuses and bodies of the replies so far. */
    replies: () => repliesIn(client.heard),
    hears: async (count: number) => {
      await vi.waitUntil(() => client.replies().length >= count, { timeout: 60_000, interval: 5 });
      return client.replies();
    },
    closes: () => vi.waitUntil(() => client.isClosed, { timeout: 60_000, interval: 5 }),
  };
  if (!isDeaf) client.listen();
  socket.on('error', () => undefined);
  socket.on('close', () => (client.isClosed = true));
  opened.push(() => socket.destroy());
  return client;
}

function repliesIn(text: string): { status: number; body: string; closes: boolean }[] {
  const replies = [];
  for (let start = 0; ;) {
    const end = text.indexOf('\r\n\r\n', start);
    if (end === -1) return replies;
    const head = text.slice(start, end);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
    if (text.length < end + 4 + length) return replies;
    const body = text.slice(end + 4, end + 4 + length);
    replies.push({ status: Number(head.split(' ')[1]), body, closes: /connection: close/i.test(head) });
    start = end + 4 + length;
  }
}

const get = (path: string, ...lines: string[]) =>
  `${[`GET ${path} HTTP/1.1`, 'Host: a', ...lines].join('\r\n')}\r\n\r\n`;
const echoed = (query: string, method = 'GET', body = '') =>
  JSON.stringify({ method, host: 'a', query, body });

const isLastByItself = new Set(['HEAD', 'HTTP/1.0', 'Connection: close']);
const chunked = '3\r\na=1\r\n0\r\n\r\n';
/** Whoever sends the quick server something unusual is answered, and has to connect again. */
describe.each([
  { name: 'the quick server', create: createEventsServer, isStrict: true },
  { name: 'the reference of node:http', create: createReferenceServer, isStrict: false },
])('$name', ({ create, isStrict }) => {
  test('a connection is used for one request after the other', async () => {
    const client = open((await startServer(create)).port);
    for (let number = 1; number <= 3; number += 1) {
      client.send(get(`/echo?${number}`));
      expect((await client.hears(number)).at(-1)).toEqual({
        status: 200,
        body: echoed(`${number}`),
        closes: false,
      });
    }
  });

  test('requests that are sent ahead are answered in order, whoever reads them', async () => {
    const { port, waiting } = await startServer(create);
    const client = open(port);
    client.send(get('/wait') + get('/echo?1') + get('/echo?2') + get('/echo?3', 'Content-Length: 0'));
    await vi.waitUntil(() => waiting.length === 1, { timeout: 60_000 });
    client.send(get('/echo?4'));
    expect(client.replies()).toEqual([]);
    const [exchange] = waiting;
    if (exchange) sendJson(exchange, 200, {});
    // Who sent something unusual comes back on a new connection.
    const answered = isStrict ? ['1', '2', '3'] : ['1', '2', '3', '4'];
    const replies = await client.hears(answered.length + 1);
    expect(replies.map(({ body }) => body)).toEqual(['{}', ...answered.map((query) => echoed(query))]);
    expect(replies.at(-1)?.closes).toBe(isStrict);
    if (isStrict) await client.closes();
  });

  test('a request is the same request wherever it is cut', async () => {
    const { port } = await startServer(create);
    const whole = get('/echo?x=%20', 'Authorization: Basic eA==', 'Cookie: a=b');
    for (let at = 1; at < whole.length; at += 1) {
      const client = open(port);
      client.send(whole.slice(0, at));
      await vi.waitUntil(() => client.socket.bytesWritten === at && !client.socket.connecting, {
        timeout: 60_000,
      });
      client.send(whole.slice(at));
      const [reply] = await client.hears(1);
      expect(reply).toMatchObject({ status: 200, body: echoed('x=%20') });
      client.socket.destroy();
    }
  });

  test('bytes that come one by one are a request', async () => {
    const client = open((await startServer(create)).port);
    for (const byte of get('/echo?1')) {
      await new Promise<void>((resolve) => {
        client.socket.write(byte, 'latin1', () => resolve());
      });
    }
    expect((await client.hears(1))[0]).toMatchObject({ status: 200, body: echoed('1') });
  });

  test.each([
    [
      'a body',
      `DELETE /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\na=1`,
      200,
      echoed('', 'DELETE', 'a=1'),
    ],
    [
      'chunks',
      `DELETE /echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
      200,
      echoed('', 'DELETE', 'a=1'),
    ],
    ['HEAD', 'HEAD /nowhere HTTP/1.1\r\nHost: a\r\n\r\n', 404, undefined],
    ['OPTIONS', 'OPTIONS /echo HTTP/1.1\r\nHost: a\r\n\r\n', 204, ''],
    ['another method', 'PUT /echo HTTP/1.1\r\nHost: a\r\n\r\n', 405, undefined],
    ['HTTP/1.0', 'GET /echo HTTP/1.0\r\nHost: a\r\n\r\n', 200, echoed('')],
    ['Connection: close', get('/echo', 'Connection: close'), 200, echoed('')],
    ['a wish to upgrade', get('/echo', 'Connection: upgrade', 'Upgrade: h2c'), 200, echoed('')],
    [
      'two lengths',
      'DELETE /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nContent-Length: 4\r\n\r\na=1',
      400,
      undefined,
    ],
    [
      'a length and chunks',
      `DELETE /echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n${chunked}`,
      400,
      undefined,
    ],
    ['no HTTP', 'hello\r\n\r\n', 400, undefined],
    ['NUL', get('/echo', 'X: a\0b'), 400, undefined],
    ['a folded header', get('/echo', 'X: a', ' Content-Length: 3'), undefined, undefined],
    ['a head without end', get('/echo', `X: ${'y'.repeat(300_000)}`), 431, undefined],
  ])('%s is answered once', async (name, text, status, body) => {
    const client = open((await startServer(create)).port);
    // What follows a request that ends its connection is malformed.
    client.send(text + (isStrict && !isLastByItself.has(name) ? get('/echo?smuggled') : ''));
    const isAnswered = () =>
      client.replies().length > 0 || (body === undefined && client.heard.includes('\r\n\r\n'));
    await (isStrict ? client.closes() : vi.waitUntil(isAnswered, { timeout: 60_000, interval: 5 }));
    const heads = client.heard.match(/HTTP\/1\.1 \d+/g) ?? [];
    expect(isStrict ? heads.length : 1).toBe(1);
    expect(heads[0]).toMatch(status === undefined ? /^/ : `HTTP/1.1 ${status}`);
    const answer = client.replies()[0]?.body;
    expect(answer).toBe(body ?? answer);
    expect(client.heard).not.toContain('smuggled');
  });

  test.each(['end', 'destroy', 'resetAndDestroy'] as const)(
    'a client that waits and goes by %s is gone',
    async (how) => {
      const { port, waiting, gone } = await startServer(create);
      for (const text of [get('/wait'), get('/wait', 'Content-Length: 0')]) {
        const client = open(port);
        client.send(text);
        await vi.waitUntil(() => waiting.length === 1, { timeout: 60_000 });
        client.socket[how]();
        await vi.waitUntil(() => gone.length === 1, { timeout: 60_000 });
        expect(gone.pop()).toBe(waiting.pop());
      }
    },
  );

  test('a client that does not take its answer is given no other', async () => {
    const { port } = await startServer(create);
    const client = open(port, { isDeaf: true });
    client.send(get('/long').repeat(20));
    client.send(get('/echo?last'));
    client.listen();
    await vi.waitUntil(() => client.heard.endsWith(echoed('last')), { timeout: 60_000 });
    expect(client.replies()).toHaveLength(21);
  });

  test('a server that drains answers whoever asks and closes the connection', async () => {
    const { port, server, waiting } = await startServer(create);
    const [idle, waits] = [open(port), open(port)];
    idle.send(get('/echo'));
    await idle.hears(1);
    waits.send(get('/wait'));
    await vi.waitUntil(() => waiting.length === 1, { timeout: 60_000 });
    server.drain();
    idle.send(get('/echo'));
    expect((await idle.hears(2))[1]?.closes).toBe(true);
    const [exchange] = waiting;
    if (exchange) sendJson(exchange, 200, {});
    expect((await waits.hears(1))[0]?.closes).toBe(true);
    await Promise.all([idle.closes(), waits.closes(), server.close()]);
  });
});

/** Answers the first request of a connection, which waits for an event, and returns it beside the next one. */
async function askAgain(before: (first: Exchange) => void, ahead = ''): Promise<Exchange[]> {
  const { port, waiting } = await startServer();
  const client = open(port);
  client.send(get('/wait?1') + ahead);
  await vi.waitUntil(() => waiting.length === 1, { timeout: 60_000 });
  const [first] = waiting;
  if (!first) throw new Error('Nobody waits.');
  first.park(createLiveQueue(queueOf({ userId: 10 }), 0));
  before(first);
  sendJson(first, 200, {});
  await client.hears(1);
  if (ahead === '') client.send(get('/wait?2'));
  await vi.waitUntil(() => waiting.length === 2, { timeout: 60_000 });
  return waiting;
}

test('a connection uses a request that has waited again, and nothing of it is left', async () => {
  const [first, second] = await askAgain((exchange) => {
    for (const part of [exchange.head, exchange.authentication, exchange.request, exchange.poll]) {
      for (const field in part) if (field !== 'reply') Object.assign(part, { [field]: 'left' });
    }
    Object.assign(exchange, { requestId: 'left', startedMs: 'left' });
  });
  const { head, authentication, request, poll, requestId, startedMs, isLast } = new TestExchange();
  expect(second).toBe(first);
  expect(second).toMatchObject({ authentication, request, requestId, startedMs, isLast });
  expect(second).toMatchObject({ hasWaited: false, isDeferred: false, isOpen: true });
  expect({ ...second?.head }).toEqual({ ...head, url: '/wait?2', host: 'a' });
  expect({ ...second?.poll }).toEqual({ ...poll, reply: second, queue: 'left', log: 'left' });
});

test.each([
  ['work that waits knows', (first: Exchange) => (first.isDeferred = true), ''],
  ['has not waited', (first: Exchange) => (first.hasWaited = false), ''],
  ['was not the last that is here', () => undefined, get('/wait?2')],
])('a request that %s is not used again', async (_, before, ahead) => {
  const [first, second] = await askAgain(before, ahead);
  expect(second).not.toBe(first);
  expect(second?.head.url).toBe('/wait?2');
});

test('a client that sends without end while it waits is cut off', async () => {
  const { port, waiting, gone } = await startServer();
  const client = open(port);
  client.send(get('/wait'));
  await vi.waitUntil(() => waiting.length === 1, { timeout: 60_000 });
  client.send(get('/echo').repeat(10_000));
  await client.closes();
  expect(gone).toEqual(waiting);
});
