import { type Socket, connect } from 'node:net';

import { Hono } from 'hono';
import { afterEach, expect, test, vi } from 'vitest';

import { SharedJson, piecesOf } from './json-text.ts';
import { createReplyBudget } from './reply-budget.ts';
import { replyInPieces } from './reply-in-pieces.ts';
import { createApiServer } from './server.ts';

const mebibyte = 1024 * 1024;
const listOf = (mebibytes: number) => new SharedJson(['x'.repeat(mebibytes * mebibyte)]);
const closing: (() => void)[] = [];
afterEach(() => {
  for (const close of closing.splice(0)) close();
});

/** Serves the lists by their names, and says how many replies were begun. */
async function serve(lists: Record<string, SharedJson>, bytesMax: number) {
  const replyBudget = createReplyBudget(bytesMax);
  const app = new Hono();
  const state = { begun: 0 };
  app.get('/:name', (c) => {
    state.begun += 1;
    const pieces = piecesOf({ list: lists[c.req.param('name')] }) ?? [];
    return replyInPieces(c, pieces, { 'Content-Type': 'application/json' }, replyBudget);
  });
  const server = createApiServer(
    Object.assign(app, { isHttps: false, refuse: () => new Response(null, { status: 500 }) }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  closing.push(() => server.close());
  const address = server.address();
  const port = typeof address === 'object' && address ? address.port : 0;
  return { state, replyBudget, url: `http://127.0.0.1:${port}`, port };
}

/** Asks, and reads no more than a socket does by itself. */
function askSlowly(port: number, name: string): Socket {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  socket.write(`GET /${name} HTTP/1.1\r\nHost: x\r\n\r\n`);
  closing.push(() => socket.destroy());
  return socket;
}

test('slow readers hold no copies', async () => {
  const { state, replyBudget, port } = await serve({ a: listOf(16) }, 256 * mebibyte);
  const before = process.memoryUsage().arrayBuffers;
  for (let reader = 0; reader < 50; reader += 1) askSlowly(port, 'a');
  await vi.waitUntil(() => state.begun === 50, { timeout: 60_000 });
  expect(replyBudget.bytes).toBeLessThan(17 * mebibyte);
  // Of which 50 copies would be 800.
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(100 * mebibyte);
});

test('when slow readers hold too much, those who began first lose their replies', async () => {
  const { state, url, port } = await serve({ a: listOf(40), b: listOf(40), c: listOf(1) }, 64 * mebibyte);
  const gone: string[] = [];
  const ask = (name: string) => askSlowly(port, name).once('close', () => gone.push(name));
  const first = ask('a');
  await vi.waitUntil(() => first.bytesRead > 0, { timeout: 60_000 });
  const reply = await fetch(`${url}/c`);
  expect(await reply.json()).toEqual({ list: ['x'.repeat(mebibyte)] });
  expect(gone).toEqual([]);
  ask('b');
  await vi.waitUntil(() => state.begun === 3, { timeout: 60_000 });
  first.resume();
  await vi.waitUntil(() => gone.length > 0, { timeout: 60_000 });
  expect(gone).toEqual(['a']);
  expect(first.bytesRead).toBeLessThan(40 * mebibyte);
});

test('replies that are taken, or given up, are held no longer', async () => {
  const { state, replyBudget, url, port } = await serve({ a: listOf(20) }, 64 * mebibyte);
  expect((await (await fetch(`${url}/a`)).arrayBuffer()).byteLength).toBeGreaterThan(20 * mebibyte);
  const aborted = askSlowly(port, 'a');
  await vi.waitUntil(() => state.begun === 2 && replyBudget.bytes > 20 * mebibyte, { timeout: 60_000 });
  aborted.destroy();
  await vi.waitUntil(() => replyBudget.bytes === 0, { timeout: 60_000 });
});

test.each([
  ['gzip, deflate', 'gzip'],
  ['br;q=1.0, gzip;q=0.5', 'gzip'],
  ['gzip;q=0', null],
  ['identity', null],
])('a client that takes %s gets %s', async (accepted, encoding) => {
  const { url } = await serve({ a: listOf(1) }, 64 * mebibyte);
  const reply = await fetch(`${url}/a`, { headers: { 'Accept-Encoding': accepted } });
  expect(reply.headers.get('content-encoding')).toBe(encoding);
  expect(reply.headers.get('vary')).toBe('Accept-Encoding');
  expect(await reply.json()).toEqual({ list: ['x'.repeat(mebibyte)] });
});

test('small pieces are written together, and large ones are the very same', async () => {
  const large = Buffer.alloc(100_000, 'l');
  const small = Array.from({ length: 1000 }, (_, index) => Buffer.alloc(1000, String(index % 10)));
  const pieces = [...small, large, ...small];
  const chunks: Uint8Array[] = [];
  for await (const chunk of createReplyBudget(mebibyte).send(pieces, () => undefined)) chunks.push(chunk);
  expect(Buffer.concat(chunks).equals(Buffer.concat(pieces))).toBe(true);
  expect(chunks.length).toBeLessThan(2 * 17 + 1);
  expect(chunks).toContain(large);
});
