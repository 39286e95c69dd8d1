import { randomUUID } from 'node:crypto';

import { expect, test } from 'vitest';

import { basic, getWorld, realm } from '../support/index.ts';

test('refused credentials cost an address more of what it may ask without an account than a request', async () => {
  const { alice } = await realm();
  const address = randomUUID();
  const limits = { byAddress: [{ seconds: 60, count: 10 }] };
  await using node = await (await getWorld()).startApi({ limits, addressOf: () => address });
  const { port } = node;
  const left = async () => {
    const reply = await alice.ask('GET', '/server_settings', {}, { authorization: null, port });
    return [reply.status, reply.headers['x-ratelimit-remaining']];
  };
  const presents = (authorization: string) => alice.ask('GET', '/users/me', {}, { authorization, port });

  expect(await left()).toEqual([200, '9']);
  expect(await presents(basic(alice.email, 'x'.repeat(32)))).toMatchObject({ status: 401 });
  expect(await left()).toEqual([200, '6']);
  expect(await presents(basic(alice.email, 'no key'))).toMatchObject({ status: 401 });
  expect(await presents(basic(alice.email, alice.apiKey)), 'the right one costs nothing').toMatchObject({
    status: 200,
  });
  expect(await left()).toEqual([200, '3']);
  const wrong = { username: alice.email, password: 'guessed' };
  await alice.ask('POST', '/fetch_api_key', wrong, { authorization: null, port });
  expect(await left(), 'a request and a refusal').toEqual([429, '0']);
  expect(
    await presents(basic(alice.email, alice.apiKey)),
    'accounts have budgets of their own',
  ).toMatchObject({
    status: 200,
  });
});
