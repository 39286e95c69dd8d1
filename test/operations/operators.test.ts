import { createLogger, systemClock } from '@parley/kit';
import { announceNode, createJobAdmin, createOperatorToken, createSigner, keys } from '@parley/redis';
import { startOperationsServer } from '@parley/telemetry';
import { createOperatorRoutes } from '@parley/worker';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';

import { type Json, getWorld, parleyJson, realm, withProcesses } from '../support/index.ts';

const logger = createLogger({ role: 'test', level: 'silent' });
let url: string;
const closing: AsyncDisposable[] = [];

async function signerOf() {
  const { secret } = await getWorld();
  return createSigner([secret]);
}

beforeAll(async () => {
  const { engine, redis, partitions } = await getWorld();
  const jobs = createJobAdmin(redis);
  const signer = await signerOf();
  const routes = createOperatorRoutes({ engine, redis, signer, clock: systemClock, partitions, jobs });
  const server = await startOperationsServer({ role: 'test', routes, port: 0, host: '127.0.0.1', logger });
  if (!server) throw new Error('The server did not start.');
  url = `http://127.0.0.1:${server.port}/operators`;
  closing.push(server, jobs);
});

afterAll(async () => {
  for (const one of closing) await one[Symbol.asyncDispose]();
});

const signIn = (token: string) =>
  fetch(url, { method: 'POST', body: new URLSearchParams({ token }), redirect: 'manual' });

async function sessionCookie(): Promise<string> {
  const { token } = createOperatorToken(await signerOf(), systemClock);
  return (await signIn(token)).headers.get('set-cookie')?.split(';')[0] ?? '';
}

async function readStatus(): Promise<Json> {
  const response = await fetch(`${url}/status`, { headers: { Cookie: await sessionCookie() } });
  expect(response.status).toBe(200);
  return await response.json();
}

test('nobody sees anything without signing in', async () => {
  for (const Cookie of ['', 'parley_operator=x', `parley_operator=${'a'.repeat(40)}`]) {
    const headers = { Cookie };
    const page = await fetch(url, { headers });
    expect(page.status).toBe(401);
    expect(await page.text()).not.toContain('page.js');
    const status = await fetch(`${url}/status`, { headers });
    expect([status.status, await status.text()]).toEqual([401, '{}']);
  }
});

test(
  'the command makes a token that signs in, with a cookie that no script reads',
  withProcesses,
  async () => {
    const { token } = await parleyJson<{ token: string }>(['operator', 'token']);
    const reply = await signIn(token);
    expect([reply.status, reply.headers.get('location')]).toEqual([303, '/operators']);
    const cookie = reply.headers.get('set-cookie') ?? '';
    for (const part of ['HttpOnly', 'SameSite=Strict', 'Path=/operators']) expect(cookie).toContain(part);
    const page = await fetch(url, { headers: { Cookie: cookie.split(';')[0] ?? '' } });
    expect(page.status).toBe(200);
    expect(await page.text()).toContain('page.js');
  },
);

test('a token that is over, forged, or made for something else signs nobody in', async () => {
  const signer = await signerOf();
  const over = createOperatorToken(signer, { nowMs: () => Date.now() - 11 * 60_000 }).token;
  const forged = createOperatorToken(createSigner(['another secret']), systemClock).token;
  const session = (await sessionCookie()).split('=')[1] ?? '';
  for (const token of ['', 'x', over, forged, session, signer.sign('node', `${Date.now() + 60_000}`)]) {
    const reply = await signIn(token);
    expect([reply.status, reply.headers.get('set-cookie')]).toEqual([403, null]);
  }
});

test('a form that is far too long is refused', async () => {
  expect((await signIn('x'.repeat(100_000))).status).toBe(400);
});

test('the page runs no script but its own file, and nobody frames it', async () => {
  const page = await fetch(url, { headers: { Cookie: await sessionCookie() } });
  const policy = page.headers.get('content-security-policy') ?? '';
  for (const part of ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"]) {
    expect(policy).toContain(part);
  }
  const html = await page.text();
  expect(html).not.toMatch(/<script(?![^>]*src="\/operators\/page\.js")|<style|\son\w+=|style=/);
});

test('a node is seen while it says that it runs', async () => {
  const { redis } = await getWorld();
  const node = announceNode({
    redis,
    signer: await signerOf(),
    clock: systemClock,
    logger,
    role: 'queue',
    measure: () => Promise.resolve({ parley_queue_parked_polls: 7 }),
  });
  const own = async () =>
    (await readStatus()).nodes.filter((one: Json) => one.pid === process.pid && one.role === 'queue');
  await vi.waitUntil(async () => (await own()).length === 1, { timeout: 60_000 });
  expect(await own()).toMatchObject([{ measured: { parley_queue_parked_polls: 7 } }]);
  await node[Symbol.asyncDispose]();
  expect(await own()).toEqual([]);
});

test('what nobody of us has signed is no node, and is forgotten', async () => {
  const { redis } = await getWorld();
  const node = { role: 'queue', host: 'elsewhere', pid: 1, startedMs: 0, saidMs: Date.now(), measured: {} };
  const forger = createSigner(['another secret']);
  await redis.hset(keys.nodes, 'forged', forger.sign('node', JSON.stringify(node)), 'broken', 'x');
  const { nodes } = await readStatus();
  expect(nodes.filter(({ host }: Json) => host === 'elsewhere')).toEqual([]);
  expect(await redis.hmget(keys.nodes, 'forged', 'broken')).toEqual([null, null]);
});

test('the status has the log, the jobs and the work that is due', async () => {
  const { alice } = await realm();
  await alice.post('/messages', { type: 'direct', to: [alice.id], content: 'hello' });
  const { partitions } = await getWorld();
  const { log, queues, due, deadLetters } = await readStatus();
  const own = log.find(({ partition }: Json) => partition === alice.realm.id % partitions);
  expect(own.head).toBeGreaterThan(0);
  expect(own.logs).toBeGreaterThan(0);
  expect(queues.map(({ queue }: Json) => queue)).toContain('recurring');
  expect(due.map(({ kind }: Json) => kind)).toContain('mails');
  expect(deadLetters).toBe(0);
});
