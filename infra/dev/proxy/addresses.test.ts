import { createClientAddress } from '@parley/http';
import { expect, test } from 'vitest';

import { eventually } from '../testing/eventually.ts';
import { fakeNode } from '../testing/fake-node.ts';
import { ask, poll, proxyTo } from './proxy-to.test-support.ts';

const onLoopback = '127.0.0.1';
const addressOf = createClientAddress(undefined);

/** What a request says that passed a TLS proxy, whose client wrote a line of its own. */
const from = (client: string, invented = '6.6.6.6') => ({
  headers: { 'x-forwarded-for': `${invented}, ${client}` },
});

test('behind a TLS proxy that Compose trusts, nodes see its clients, whatever those write', async () => {
  await using api = await fakeNode('api');
  await using proxy = await proxyTo('compose', { api: [api], tlsProxy: onLoopback });

  for (const method of ['GET', 'POST', 'DELETE']) {
    await ask(proxy.url, { method, ...from('203.0.113.5') });
    await ask(proxy.url, { method, ...from('2001:db8::7', onLoopback) });
  }

  const seen = api.requests.map(({ headers }) => addressOf(String(headers['x-forwarded-for']), onLoopback));
  expect(seen).toEqual(Array.from({ length: 3 }, () => ['203.0.113.5', '2001:db8::/64']).flat());
});

test('nobody else says to the proxy of Compose where they are', async () => {
  await using api = await fakeNode('api');
  await using proxy = await proxyTo('compose', { api: [api] });

  for (const method of ['GET', 'DELETE']) await ask(proxy.url, { method, ...from('203.0.113.5') });

  const seen = api.requests.map(({ headers }) => addressOf(String(headers['x-forwarded-for']), onLoopback));
  expect(seen).toEqual([onLoopback, onLoopback]);
});

test('behind a TLS proxy that Compose trusts, each client has its own number of requests at once', async () => {
  await using queue = await fakeNode('queue', () => {});
  await using proxy = await proxyTo('compose', {
    queue: [queue],
    tlsProxy: onLoopback,
    connectionsPerAddress: 1,
  });
  const end = new AbortController();
  const parked = ['203.0.113.5', '203.0.113.6'].map((client) =>
    fetch(`${proxy.url}${poll}`, { signal: end.signal, ...from(client) }).catch(() => null),
  );
  await eventually(() => queue.requests.length === 2);
  expect((await fetch(`${proxy.url}${poll}`, from('203.0.113.5', '7.7.7.7'))).status).toBe(429);
  end.abort();
  await Promise.all(parked);
});
