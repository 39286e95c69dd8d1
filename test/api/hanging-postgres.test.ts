import { expect, test, vi } from 'vitest';

import { getWorld, realm, startPostgresProxy } from '../support/index.ts';

test('a Postgres that hangs leaves nobody without an answer, and is found when it answers again', async () => {
  const { alice, bob } = await realm();
  const world = await getWorld();
  await using proxy = await startPostgresProxy(world.databaseUrl);
  await using node = await world.startApi({ databaseUrl: proxy.url });
  const send = () =>
    alice.ask('POST', '/messages', { type: 'direct', to: [bob.id], content: 'x' }, { port: node.port });
  const ask = () => alice.ask('GET', '/users/me', {}, { port: node.port });
  expect(await send()).toMatchObject({ status: 200 });
  expect(await ask()).toMatchObject({ status: 200 });

  proxy.hang();
  const refused = { status: 503, body: { code: 'SERVER_NOT_READY' }, headers: { 'retry-after': '1' } };
  for (const reply of await Promise.all([send(), ask()])) expect(reply).toMatchObject(refused);
  for (const reply of [await send(), await ask()]) expect(reply).toMatchObject(refused);

  proxy.resume();
  await vi.waitUntil(async () => (await ask()).status === 200, { timeout: 60_000 });
  expect(await send()).toMatchObject({ status: 200 });
});
