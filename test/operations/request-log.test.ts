import { createLogger } from '@parley/kit';
import { expect, test } from 'vitest';

import { type Json, basic, call, getWorld, realm, tell } from '../support/index.ts';

/** A logger, and the lines that it wrote. */
function logging() {
  const lines: Json[] = [];
  const destination = { write: (line: string) => void lines.push(JSON.parse(line)) };
  return { lines, logger: createLogger({ role: 'test', level: 'info', destination }) };
}

test('a request is one line of log, which has the id that the reply carries', async () => {
  const { alice } = await realm();
  const { lines, logger } = logging();
  await using api = await (await getWorld()).startApi({ logger });
  const { headers } = await alice.ask(
    'GET',
    `/users/${alice.id}`,
    {},
    { port: api.port, userAgent: 'Try/1' },
  );
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'request',
      request_id: headers['x-request-id'],
      method: 'GET',
      route: '/api/v1/users/:user',
      status: 200,
      ms: expect.any(Number),
      realm: alice.realm.name,
      user: alice.id,
      client: 'Try',
    }),
  ]);
});

test('an id that the proxy gave is kept; what cannot be one is not', async () => {
  const { ports } = await getWorld();
  for (const port of Object.values(ports)) {
    const ask = async (id: string) =>
      (await call({ port, method: 'GET', path: '/nowhere', headers: { 'X-Request-Id': id } })).headers[
        'x-request-id'
      ];
    expect(await ask('4bf92f3577b34da6')).toBe('4bf92f3577b34da6');
    expect(await ask('two words')).toMatch(/^[0-9a-f]{12}-/);
  }
});

test('a refusal is logged with its code', async () => {
  const { alice } = await realm();
  const { lines, logger } = logging();
  await using api = await (await getWorld()).startApi({ logger });
  await alice.ask(
    'POST',
    '/messages',
    { type: 'channel', to: 'nowhere', topic: 't', content: 'x' },
    { port: api.port },
  );
  expect(lines).toEqual([expect.objectContaining({ status: 400, code: 'STREAM_DOES_NOT_EXIST' })]);
});

test('a poll is logged when it is answered: the first of many', async () => {
  const { alice, bob } = await realm();
  const { lines, logger } = logging();
  await using queue = await (await getWorld()).startQueue({ logger });
  const listener = await alice.listen();
  const poll = () =>
    alice.ask(
      'GET',
      '/events',
      { queue_id: listener.queueId, last_event_id: listener.lastEventId },
      { port: queue.port },
    );
  await tell(bob, [alice]);
  const { headers } = await poll();
  await poll();
  expect(lines).toEqual([
    expect.objectContaining({
      msg: 'request',
      request_id: headers['x-request-id'],
      method: 'GET',
      path: '/api/v1/events',
      queue: listener.queueId,
      user: alice.id,
      events: expect.any(Number),
      status: 200,
    }),
  ]);
});

test('no line has a password, a key or what stands in an address', async () => {
  const { alice } = await realm();
  const { lines, logger } = logging();
  const world = await getWorld();
  await using api = await world.startApi({ logger });
  await using queue = await world.startQueue({ logger });
  const secret = 'hunter2hunter2hunter2hunter2hunt';
  const wrong = basic(alice.email, secret);
  const ask = (port: number, method: string, path: string, authorization = wrong) =>
    call({ port, method, path, headers: { Host: alice.realm.host, Authorization: authorization } });
  for (const { port } of [api, queue]) {
    await ask(port, 'GET', `/api/v1/events?queue_id=x&api_key=${secret}`);
    await ask(port, 'POST', `/api/v1/fetch_api_key?username=${alice.email}&password=${secret}`);
    await ask(port, 'GET', `/user_uploads/1/${secret}/x?api_key=${secret}`);
  }
  expect(lines.length).toBeGreaterThan(3);
  const text = JSON.stringify(lines);
  expect(text).not.toContain(secret);
  expect(text).not.toContain(wrong.slice('Basic '.length));
});
