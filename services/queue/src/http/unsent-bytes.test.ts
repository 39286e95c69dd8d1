import { type Socket, connect, createServer } from 'node:net';

import { afterEach, expect, test, vi } from 'vitest';

import { createUnsentBytes } from './unsent-bytes.ts';

const opened: (() => unknown)[] = [];
afterEach(() => opened.splice(0).forEach((close) => close()));

/** Returns what opens a connection and resolves with both of its ends, of which the client's reads nothing. */
async function listen() {
  const accepted: Socket[] = [];
  const server = createServer((socket) => accepted.push(socket.on('error', () => undefined)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  opened.push(() => server.close());
  // Safe: it listens on a port.
  const { port } = server.address() as { port: number };
  return async () => {
    const before = accepted.length;
    const client = connect(port, '127.0.0.1').on('error', () => undefined);
    opened.push(() => client.destroy());
    await vi.waitUntil(() => accepted.length > before, { timeout: 60_000, interval: 5 });
    // Safe: it has just been accepted.
    return { client, socket: accepted.at(-1) as Socket };
  };
}

const answer = 'x'.repeat(20_000_000);

test('what a client has not taken counts until it has', async () => {
  const open = await listen();
  const unsent = createUnsentBytes();
  const { client, socket } = await open();
  socket.write('short');
  unsent.written(socket);
  expect(unsent.bytes).toBe(0);
  socket.write(answer, 'latin1');
  unsent.written(socket);
  expect(unsent.bytes).toBe(socket.writableLength);
  expect(unsent.bytes).toBeGreaterThan(0);
  client.resume();
  await vi.waitUntil(() => unsent.bytes === 0, { timeout: 60_000, interval: 5 });
  expect(socket.destroyed).toBe(false);
});

test('what a client has not taken counts no more when its connection is closed', async () => {
  const open = await listen();
  const unsent = createUnsentBytes();
  const { socket } = await open();
  socket.write(answer, 'latin1');
  unsent.written(socket);
  unsent.closed(socket);
  expect(unsent.bytes).toBe(0);
});

test('the connections that were slow first end when all of them hold too much', async () => {
  const open = await listen();
  const unsent = createUnsentBytes(answer.length * 2);
  const sockets: Socket[] = [];
  for (let count = 0; count < 5; count += 1) {
    const { socket } = await open();
    sockets.push(socket);
    socket.write(answer, 'latin1');
    unsent.written(socket);
    expect(unsent.bytes).toBeLessThanOrEqual(unsent.bytesMax);
  }
  const ended = sockets.map(({ destroyed }) => destroyed);
  expect(ended[0]).toBe(true);
  expect(ended.at(-1)).toBe(false);
  expect(ended, 'in the order in which they were slow').toEqual([
    ...ended.filter(Boolean),
    ...ended.filter((isEnded) => !isEnded),
  ]);
});
