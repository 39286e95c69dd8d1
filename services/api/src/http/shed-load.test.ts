import { Hono } from 'hono';
import { expect, test } from 'vitest';

import { shedLoad } from './shed-load.ts';

/** A server of at most two requests at once, each of which is answered when told. */
function createServer() {
  const waiting: (() => void)[] = [];
  const state = { lateMs: 0 };
  const app = new Hono();
  const refuse = () => new Response(null, { status: 503 });
  app.use(shedLoad({ requestsMax: 2, lateMsMax: 100, lateMs: () => state.lateMs, refuse }));
  app.all('*', async (c) => {
    if (c.req.path === '/fails') throw new Error('it fails');
    if (c.req.path !== '/health') await new Promise<void>((resolve) => waiting.push(resolve));
    return new Response(null, { status: 200 });
  });
  app.onError(() => new Response(null, { status: 500 }));
  const ask = async (path = '/') => (await app.request(path)).status;
  return { state, ask, answerAll: () => waiting.splice(0).forEach((answer) => answer()) };
}

test('so many are served at once, the others are refused, and then there is room again', async () => {
  const { ask, answerAll } = createServer();
  const served = [ask(), ask()];
  expect(await ask()).toBe(503);
  answerAll();
  expect(await Promise.all(served)).toEqual([200, 200]);
  const next = ask();
  answerAll();
  expect(await next).toBe(200);
});

test('those that fail make room, too', async () => {
  const { ask } = createServer();
  for (let time = 0; time < 5; time += 1) expect(await ask('/fails')).toBe(500);
});

test('while everything is late, one at a time is served', async () => {
  const { state, ask, answerAll } = createServer();
  state.lateMs = 101;
  const first = ask();
  expect(await ask()).toBe(503);
  state.lateMs = 100;
  const second = ask();
  answerAll();
  expect([await first, await second]).toEqual([200, 200]);
});

test('whether it is alive is answered always, and uploads are taken', async () => {
  const { ask, answerAll } = createServer();
  const served = [ask(), ask()];
  expect(await ask('/health')).toBe(200);
  const uploads = ['/api/v1/user_uploads', '/json/tus/x'].map(ask);
  answerAll();
  expect(await Promise.all([...served, ...uploads])).toEqual([200, 200, 200, 200]);
});
