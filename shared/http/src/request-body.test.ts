import { once } from 'node:events';
import { type IncomingMessage, createServer } from 'node:http';
import { type AddressInfo, type Socket, connect } from 'node:net';

import { ApiError } from '@parley/protocol';
import { expect, test, vi } from 'vitest';

import { drain, readBody } from './request-body.ts';

const limits = { bytesMax: 100, msMax: 10_000 };
const head = 'POST / HTTP/1.1\r\nHost: a\r\n';

/** What `serve` makes of a request that begins with these bytes. */
async function receive<Outcome>(
  bytes: string,
  serve: (req: IncomingMessage, client: Socket) => Promise<Outcome>,
): Promise<Outcome> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  client.on('error', () => undefined);
  client.write(bytes);
  const [req] = (await once(server, 'request')) as [IncomingMessage];
  try {
    return await serve(req, client);
  } finally {
    client.destroy();
    server.closeAllConnections();
    server.close();
  }
}

const outcomeOf = (body: Promise<Buffer>) =>
  body.then(String, (error: unknown) =>
    error instanceof ApiError ? `${error.code}: ${error.message}` : error,
  );

test('a body is read to its end', async () => {
  const body = await receive(`${head}Content-Length: 3\r\n\r\na=1`, (req) => readBody(req, limits));
  expect(String(body)).toBe('a=1');
});

test.each([
  ['announced', `${head}Content-Length: 101\r\n\r\n`],
  ['in chunks', `${head}Transfer-Encoding: chunked\r\n\r\n65\r\n${'a'.repeat(101)}\r\n`],
])('one that is too large is refused: %s', async (_, bytes) => {
  const outcome = await receive(bytes, (req) => outcomeOf(readBody(req, limits)));
  expect(outcome).toBe('BAD_REQUEST: The request is too large.');
});

test.each([
  ['announced', `${head}Content-Length: 100\r\n\r\n${'a'.repeat(100)}`],
  ['in chunks', `${head}Transfer-Encoding: chunked\r\n\r\n64\r\n${'a'.repeat(100)}\r\n0\r\n\r\n`],
])('one that is as large as it may be is read: %s', async (_, bytes) => {
  expect(await receive(bytes, (req) => outcomeOf(readBody(req, limits)))).toBe('a'.repeat(100));
});

test('one that was read is empty the second time, and one that is gone is refused', async () => {
  const twice = await receive(`${head}Content-Length: 3\r\n\r\na=1`, async (req) => {
    await readBody(req, limits);
    return await outcomeOf(readBody(req, { ...limits, msMax: 20 }));
  });
  expect(twice).toBe('');
  const gone = await receive(`${head}Content-Length: 50\r\n\r\na`, async (req, client) => {
    const closed = new Promise((resolve) => req.on('error', () => undefined).on('close', resolve));
    client.resetAndDestroy();
    await closed;
    return await outcomeOf(readBody(req, { ...limits, msMax: 20 }));
  });
  expect(gone).toBe('BAD_REQUEST: The connection closed before the request was complete.');
});

test('one that does not end is refused', async () => {
  const outcome = await receive(`${head}Content-Length: 50\r\n\r\na`, (req) =>
    outcomeOf(readBody(req, { ...limits, msMax: 20 })),
  );
  expect(outcome).toBe('BAD_REQUEST: The request took too long to arrive.');
});

test('one whose sender goes away is refused, and nobody takes that for a store that is away', async () => {
  const outcome = await receive(`${head}Content-Length: 50\r\n\r\na`, (req, client) => {
    const reading = outcomeOf(readBody(req, limits));
    client.resetAndDestroy();
    return reading;
  });
  expect(outcome).toBe('BAD_REQUEST: The connection closed before the request was complete.');
});

test('what is left of a request is read, or its connection has to be closed', async () => {
  const bytes = `${head}Content-Length: 200\r\n\r\n${'a'.repeat(200)}`;
  const drained = await receive(bytes, async (req) => {
    await outcomeOf(readBody(req, limits));
    return await drain(req);
  });
  expect(drained).toBe(true);

  const unfinished = await receive(`${head}Content-Length: 200\r\n\r\na`, async (req, client) => {
    const draining = drain(req);
    client.resetAndDestroy();
    return await draining;
  });
  expect(unfinished).toBe(false);
});

test('what has come whole is forgotten', async () => {
  const drained = await receive(`${head}Content-Length: 3\r\n\r\na=1`, async (req) => {
    await vi.waitUntil(() => req.complete, { timeout: 60_000 });
    return await drain(req);
  });
  expect(drained).toBe(true);
});

test('what comes after a refusal is read to its end, but not without end', async () => {
  const chunk = `10000\r\n${'a'.repeat(65_536)}\r\n`;
  const start = `${head}Transfer-Encoding: chunked\r\n\r\n`;
  const drained = await receive(start + chunk, async (req, client) => {
    await outcomeOf(readBody(req, limits));
    client.write(`${chunk.repeat(8)}0\r\n\r\n`);
    return await drain(req);
  });
  expect(drained).toBe(true);

  const endless = await receive(start, async (req, client) => {
    client.write(chunk.repeat(520));
    return await drain(req);
  });
  expect(endless).toBe(false);
});
