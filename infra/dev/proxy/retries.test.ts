import type { ServerResponse } from 'node:http';

import { describe, expect, test } from 'vitest';

import { eventually } from '../testing/eventually.ts';
import { fakeNode } from '../testing/fake-node.ts';
import { ask, poll, pollOf, proxies, proxyTo } from './proxy-to.test-support.ts';

const notReady = { result: 'error', msg: expect.any(String), code: 'SERVER_NOT_READY' };

describe.each(proxies)('the %s proxy', (kind) => {
  test.each(['GET', 'POST', 'PATCH', 'DELETE'])('a %s never meets a node that is down', async (method) => {
    await using dead = await fakeNode('dead');
    await using alive = await fakeNode('alive');
    await using proxy = await proxyTo(kind, { api: [dead, alive] });
    await Promise.all(Array.from({ length: 10 }, () => ask(`${proxy.url}/`)));
    await dead.die();

    const answers = Array.from({ length: 20 }, () => ask(`${proxy.url}/`, { method }));
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['alive']));
  });

  test('a poll that was parked on a node that dies goes on at another', async () => {
    await using dying = await fakeNode('dying', () => {});
    await using heir = await fakeNode('heir', () => {});
    await using proxy = await proxyTo(kind, { queue: [dying, heir] });

    const polls = Promise.all(
      Array.from({ length: 8 }, (_, index) => ask(`${proxy.url}${pollOf(`1_${index}-x`)}`)),
    );
    await eventually(() => dying.requests.length + heir.requests.length === 8);
    const before = heir.requests.length;
    await dying.die();
    await eventually(() => heir.requests.length === 8);
    await heir.die();

    expect(before).toBeLessThan(8);
    for (const answer of await polls) expect(JSON.parse(answer)).toEqual(notReady);
  });

  test('a parked poll outlives every node, as long as one is up at a time', async () => {
    const park = () => {};
    let [parkedAt, other] = [await fakeNode('one', park), await fakeNode('two', park)];
    await using proxy = await proxyTo(kind, { queue: [parkedAt, other] });
    const answer = ask(`${proxy.url}${poll}`);
    await eventually(() => parkedAt.requests.length + other.requests.length === 1);
    if (other.requests.length === 1) [parkedAt, other] = [other, parkedAt];

    for (let death = 0; death < 4; death += 1) {
      const heir = other;
      await parkedAt.die();
      await eventually(() => heir.requests.length === 1);
      const last = death === 3;
      const next = (_: unknown, outgoing: ServerResponse) => void outgoing.end('heard');
      other = await fakeNode('back', last ? next : park, parkedAt.port);
      parkedAt = heir;
    }
    await parkedAt.die();

    expect(await answer).toBe('heard');
    await other.die();
  });

  test.each(['POST', 'PATCH', 'PUT', 'DELETE'])(
    'a %s is not repeated when its node dies over it',
    async (method) => {
      const cut = (incoming: { socket: { destroy(): unknown } }) => void incoming.socket.destroy();
      await using one = await fakeNode('one', cut);
      await using two = await fakeNode('two', cut);
      await using proxy = await proxyTo(kind, { api: [one, two], queue: [one, two] });

      for (const path of ['/api/v1/messages', '/api/v1/events']) {
        one.requests.length = 0;
        two.requests.length = 0;
        const request = { method, body: 'a=1' };
        const reply = await fetch(`${proxy.url}${path}`, request);
        expect(reply.status).toBe(503);
        expect(await reply.json()).toEqual(notReady);
        expect(one.requests.length + two.requests.length).toBe(1);
      }
    },
  );

  test('tells the node when the client has gone', async () => {
    let gone = 0;
    await using queue = await fakeNode(
      'queue',
      (incoming) => void incoming.socket.on('close', () => (gone += 1)),
    );
    await using proxy = await proxyTo(kind, { queue: [queue] });

    const client = new AbortController();
    const parked = fetch(`${proxy.url}${poll}`, { signal: client.signal }).catch(() => 'aborted');
    await eventually(() => queue.requests.length === 1);
    client.abort();

    expect(await parked).toBe('aborted');
    await eventually(() => gone === 1);
  });

  test('comes back when it is killed', async () => {
    await using api = await fakeNode('api');
    await using proxy = await proxyTo(kind, { api: [api] });
    expect(await ask(proxy.url)).toBe('api');

    proxy.kill('SIGKILL');

    await eventually(() =>
      ask(proxy.url).then(
        (name) => name === 'api',
        () => false,
      ),
    );
  });
});
