import { type Agent, Agent as HttpAgent, request } from 'node:http';
import { connect } from 'node:net';

import { describe, expect, test } from 'vitest';

import { type Json, type Person, getWorld, multipartType, realm, takeBugs } from '../support/index.ts';

interface Sent {
  method: string;
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** Asks over an agent's one connection. */
function askOver(agent: Agent, port: number, { method, path, headers, body = '' }: Sent): Promise<Json> {
  return new Promise((resolve, reject) => {
    const length = { 'Content-Length': Buffer.byteLength(body) };
    const options = { host: '127.0.0.1', port, method, path, headers: { ...headers, ...length }, agent };
    const outgoing = request(options, (incoming) => {
      let text = '';
      incoming.on('data', (chunk) => (text += String(chunk)));
      incoming.on('end', () => resolve({ status: incoming.statusCode, body: JSON.parse(text) }));
      incoming.on('error', reject);
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}

const headersOf = ({ email, apiKey, realm: { host } }: Person, key = apiKey) => ({
  Host: host,
  Authorization: `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`,
  'Content-Type': 'application/x-www-form-urlencoded',
});

/** The status and the code that come back for raw bytes. */
async function raw(port: number, bytes: string): Promise<[number, string]> {
  const socket = connect(port, '127.0.0.1');
  socket.write(bytes);
  let reply = '';
  for await (const chunk of socket) {
    reply += String(chunk);
    if (reply.includes('}')) break;
  }
  const body: Json = JSON.parse(reply.slice(reply.indexOf('{')));
  return [Number(reply.split(' ')[1]), body.code];
}

describe.each(['api', 'queue'] as const)('a refusal of the %s node', (which) => {
  const target = which === 'api' ? ['POST', '/api/v1/messages'] : ['DELETE', '/api/v1/events'];
  const [method = '', path = ''] = target;

  test('leaves nothing of the request on its connection', async () => {
    const { alice } = await realm();
    const port = (await getWorld()).ports[which];
    const agent = new HttpAgent({ keepAlive: true, maxSockets: 1 });
    const sent = { method, path, headers: headersOf(alice, 'x'.repeat(32)), body: 'a'.repeat(300_000) };
    const replies = [];
    for (let time = 0; time < 20; time += 1) replies.push(await askOver(agent, port, sent));
    const after = await askOver(agent, port, { method, path, headers: headersOf(alice), body: 'a=1' });
    agent.destroy();

    const expected = which === 'api' ? { status: 401 } : { status: 400, body: { code: 'BAD_REQUEST' } };
    for (const reply of replies) expect(reply).toMatchObject(expected);
    expect(after).toMatchObject({ status: 400, body: { code: 'REQUEST_VARIABLE_MISSING' } });
  });

  test('a malformed head is refused with JSON', async () => {
    const port = (await getWorld()).ports[which];
    const heads = ['Host: a b', 'Host: %00', 'Host: [1', 'Host: a:b:c', 'Host: ?', 'X: no host'];
    const replies = [];
    for (const head of heads.slice(0, which === 'api' ? heads.length : 4)) {
      replies.push(await raw(port, `GET /api/v1/events HTTP/1.1\r\n${head}\r\n\r\n`));
    }
    for (const reply of replies) expect(reply).toEqual([400, 'BAD_REQUEST']);
    expect(await raw(port, 'GET /api/v1/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n')).toEqual([
      400,
      'BAD_REQUEST',
    ]);
    expect(await takeBugs()).toEqual([]);
  });
});

describe('a request is refused before it costs anything', () => {
  test.each([
    ['at most 1000 parameters', 'a&'.repeat(1001), 'A request can have at most 1000 parameters.'],
    ['too many bytes', 'a'.repeat(256 * 1024 + 1), 'The request is too large.'],
  ])('a request with %s is refused before it costs anything', async (_, body, msg) => {
    const { alice } = await realm();
    const { port, path, method, headers } = await registration(alice);
    const reply = await askOver(new HttpAgent(), port, { method, path, headers, body });
    expect(reply.body).toEqual({ result: 'error', code: 'BAD_REQUEST', msg });
  });

  test('a request with too many bytes is refused, and lists may be longer', async () => {
    const { alice } = await realm();
    const { port, headers } = await registration(alice);
    const post = async (path: string, bytes: number) => {
      const body = 'a'.repeat(bytes);
      const sent = { method: 'POST', path: `/api/v1${path}`, headers, body };
      return (await askOver(new HttpAgent(), port, sent)).body.code;
    };
    const [usual, long] = [256 * 1024, 1024 * 1024];
    for (const [path, most] of [
      ['/messages', usual],
      ['/drafts', long],
    ] as const) {
      expect(await post(path, most), path).not.toBe('BAD_REQUEST');
      expect(await post(path, most + 1), path).toBe('BAD_REQUEST');
    }
  });

  test('a request with too many parts is refused before it costs anything', async () => {
    const { alice } = await realm();
    const { port, path, method, headers } = await registration(alice);
    const boundary = multipartType.split('boundary=')[1];
    const part = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n`;
    const reply = await askOver(new HttpAgent(), port, {
      method,
      path,
      headers: { ...headers, 'Content-Type': multipartType },
      body: `${part.repeat(1001)}--${boundary}--\r\n`,
    });
    expect(reply.body).toMatchObject({ msg: 'A request can have at most 1000 parameters.' });
  });

  test('a request with fields as large as files is refused before it costs anything', async () => {
    const { alice } = await realm();
    const { port, method, headers } = await registration(alice);
    const boundary = multipartType.split('boundary=')[1];
    const part = `--${boundary}\r\nContent-Disposition: form-data; name="a"\r\n\r\n${'x'.repeat(600_000)}\r\n`;
    const reply = await askOver(new HttpAgent(), port, {
      method,
      path: '/api/v1/user_uploads',
      headers: { ...headers, 'Content-Type': multipartType },
      body: `${part.repeat(2)}--${boundary}--\r\n`,
    });
    expect(reply.body).toMatchObject({ code: 'BAD_REQUEST', msg: 'The request is too large.' });
  });

  test('a request with too many arguments is refused before it costs anything', async () => {
    const { alice } = await realm();
    const { port, headers } = await registration(alice);
    const path = `/api/v1/users/me?${'a&'.repeat(1001)}`;
    const reply = await askOver(new HttpAgent(), port, { method: 'GET', path, headers });
    expect(reply.body).toMatchObject({ msg: 'A request can have at most 1000 parameters.' });
  });

  const registration = async (person: Person) => ({
    port: (await getWorld()).ports.api,
    method: 'POST',
    path: '/api/v1/register',
    headers: headersOf(person),
  });
});

test('the address of an upload may have its slashes encoded', async () => {
  const { alice } = await realm();
  const { body } = await alice.upload('/user_uploads', [{ name: 'a.txt', content: 'x' }]);
  const [, realmId, ...rest] = body.url.slice('/user_uploads'.length).split('/');
  const encoded = `/user_uploads/${realmId}/${encodeURIComponent(rest.join('/'))}`;
  expect(await alice.get(encoded)).toMatchObject({ result: 'success' });
  expect((await alice.fetch(encoded)).text).toBe('x');
});

test('a server whose address is https says that browsers must use it', async () => {
  const { alice } = await realm();
  const { site, startApi } = await getWorld();
  await using node = await startApi({ site: { ...site, baseUrl: 'https://localhost' } });
  const secure = await alice.ask('GET', '/server_settings', {}, { port: node.port });
  expect(secure.headers['strict-transport-security']).toBe('max-age=31536000; includeSubDomains');
  expect((await alice.ask('GET', '/server_settings')).headers['strict-transport-security']).toBeUndefined();
});

test('a reply says what is left of the caller’s budget, an answer to a poll too', async () => {
  const { alice } = await realm();
  const once = [{ seconds: 60, count: 1 }];
  await using node = await (
    await getWorld()
  ).startApi({ limits: { byUser: once, byAddress: once, logins: once } });
  const first = await alice.ask('GET', '/users/me', {}, { port: node.port });
  const second = await alice.ask('GET', '/users/me', {}, { port: node.port });
  expect([first, second].map(({ status, headers }) => [status, headers['x-ratelimit-remaining']])).toEqual([
    [200, '0'],
    [429, '0'],
  ]);
  expect(second.headers['x-ratelimit-limit']).toBe('1');
  const phone = await alice.listen();
  const poll = { queue_id: phone.queueId, last_event_id: -1, dont_block: true };
  const answer = await alice.ask('GET', '/events', poll);
  expect(Number(answer.headers['x-ratelimit-remaining'])).toBeGreaterThan(0);
});
