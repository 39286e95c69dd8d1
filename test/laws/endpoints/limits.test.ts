import { type Endpoint, endpoints, nameOf } from '@parley/api';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

import { call, getWorld } from '../../support/index.ts';
import { type Fixture, createFixture } from '../fixtures/endpoints.ts';
import { requests } from '../resources/index.ts';
import { checkDocumented, refusalOf } from './kinds.ts';
import { send } from './send.ts';

/** What has no limit, and why it needs none. */
const unlimited: Readonly<Record<string, string>> = {
  'GET /health': 'answers from memory, to the operator’s own machines',
  'GET /ready': 'remembers what it has read, and is asked by the operator’s own machines',
};

describe('the limits', () => {
  let people: Fixture;
  let node: Awaited<ReturnType<Awaited<ReturnType<typeof getWorld>>['startApi']>>;

  /** A node whose visitors have spent what they may ask. */
  beforeAll(async () => {
    people = await createFixture();
    const once = [{ seconds: 3600, count: 1 }];
    node = await (
      await getWorld()
    ).startApi({ limits: { byUser: once, byAddress: once, filesByUser: once, filesByAddress: once } });
    const spent = endpoints.filter((endpoint) =>
      ['GET /server_settings', 'GET /avatar/:user', 'GET /user_avatars/:realm/:file'].includes(
        nameOf(endpoint),
      ),
    );
    await Promise.all([
      ...spent.map(ask),
      ...[people.alice, people.owner].map((person) =>
        person.ask('GET', '/users/me', {}, { port: node.port }),
      ),
    ]);
  });

  afterAll(() => node[Symbol.asyncDispose]());

  const ask = (endpoint: Endpoint) =>
    send(people, endpoint, { params: requests[nameOf(endpoint)]?.(people) ?? {}, port: node.port });

  test('hold for every endpoint, or it says why not', async () => {
    const replies = await Promise.all(
      endpoints.map(async (endpoint) => [endpoint, await ask(endpoint)] as const),
    );
    for (const [endpoint, reply] of replies) {
      const name = nameOf(endpoint);
      if (name in unlimited) continue;
      expect(reply.status, `${name}: ${reply.text}`).toBe(429);
      expect(refusalOf(reply), name).toBe(endpoint.method === 'HEAD' ? '429' : 'RATE_LIMIT_HIT');
      checkDocumented(endpoint, reply);
      expect(reply.headers, name).toMatchObject({
        'retry-after': expect.stringMatching(/^[1-9]\d*$/),
        'x-ratelimit-limit': '1',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': expect.stringMatching(/^\d+$/),
      });
    }
    const served = replies.filter(([, { status }]) => status < 300).map(([endpoint]) => nameOf(endpoint));
    expect(served.sort()).toEqual(Object.keys(unlimited).sort());
  });

  test('hold for what a server says of its uploads, and at hosts of no organization', async () => {
    const replies = await Promise.all(
      [
        ['OPTIONS', '/api/v1/tus', people.realm.host],
        ['GET', '/api/v1/messages', 'nowhere.localhost'],
        ['GET', '/user_avatars/1/abcdefghijkl.png', 'nowhere.localhost'],
      ].map(([method = '', path = '', host = '']) =>
        call({ port: node.port, method, path, headers: { Host: host } }),
      ),
    );
    expect(replies.map(refusalOf)).toEqual(Array(3).fill('RATE_LIMIT_HIT'));
  });
});
