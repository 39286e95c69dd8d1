import { once } from 'node:events';
import { type AddressInfo, type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';

import { serve } from '@hono/node-server';
import { ApiError } from '@parley/protocol';
import { Hono } from 'hono';
import { afterEach, beforeEach, expect, test } from 'vitest';

import { readRequest } from './request.ts';

let server: ReturnType<typeof serve>;
let sockets: Socket[];

/** A server that answers with the length of the parameter `a`, of senders whom the path names. */
beforeEach(async () => {
  sockets = [];
  const app = new Hono();
  app.post('/:sender', async (c) => {
    await using request = await readRequest(c, { key: Number(c.req.param('sender')) });
    return c.text(String(request.sources('a')?.length));
  });
  app.onError((error, c) => c.text(error instanceof ApiError ? String(error.status) : '500'));
  server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' });
  await once(server, 'listening');
});

afterEach(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

/** Sends a form, `kept` characters of which stay behind until `finish` is called. */
function post(sender: number, length: number, kept = 0) {
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  sockets.push(socket);
  socket.write(
    `POST /${sender} HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: ${length + 2}\r\n\r\na=${'x'.repeat(length - kept)}`,
  );
  const answer = text(socket).then(
    (reply) => reply.split('\r\n\r\n')[1],
    () => null,
  );
  return { answer, finish: () => void socket.write('x'.repeat(kept)) };
}

test.each([
  ['one long form of a sender is read at a time, and nobody else waits for it', 100_000, '100000'],
  ['what is left of a form that is too long is read in its sender’s turn', 2_000_000, '400'],
])('%s', async (_, length, answer) => {
  const first = post(1, length, 10);
  // Of the same sender, but short: that it has its answer says that the first has come.
  expect(await post(1, 60_000).answer).toBe('60000');
  let hasAnswer = false;
  const second = post(1, 100_001).answer.finally(() => {
    hasAnswer = true;
  });
  expect(await post(1, 60_000).answer).toBe('60000');
  expect(await post(2, 100_002).answer).toBe('100002');
  expect(hasAnswer).toBe(false);
  first.finish();
  expect(await Promise.all([first.answer, second])).toEqual([answer, '100001']);
});

test('more than fifty long forms of a sender do not wait', async () => {
  post(1, 100_000, 10);
  expect(await post(1, 60_000).answer).toBe('60000');
  const waiting = Array.from({ length: 51 }, () => post(1, 100_000).answer);
  expect(await Promise.race(waiting)).toBe('503');
});
