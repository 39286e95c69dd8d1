import { describe, expect, test } from 'vitest';

import { getWorld, realm, succeed } from '../support/index.ts';

describe('what a user may register', () => {
  test('is so many queues at once; deleting one makes room, and others have theirs', async () => {
    const { alice, bob } = await realm();
    await using node = await (await getWorld()).startApi({ queuesPerUser: 3 });
    const ask = (person = alice) =>
      person.ask('POST', '/register', { fetch_event_types: '[]' }, { port: node.port });
    const replies = await Promise.all([1, 2, 3, 4, 5].map(() => ask()));
    expect(replies.filter((reply) => reply.status === 200)).toHaveLength(3);
    const refused = replies.find(({ status }) => status === 429);
    expect(refused?.body).toMatchObject({ code: 'RATE_LIMIT_HIT', 'retry-after': expect.any(Number) });
    expect(refused?.body['retry-after']).toBeLessThanOrEqual(600);
    expect(replies.filter((reply) => reply.status === 429)).toHaveLength(2);
    expect((await ask(bob)).status).toBe(200);

    const { queue_id } = replies.find(({ status }) => status === 200)?.body ?? {};
    await succeed(alice.delete('/events', { queue_id }));
    expect((await ask()).status).toBe(200);
    expect((await ask()).status).toBe(429);
  });

  test('is a filter of bounded length', async () => {
    const { alice } = await realm();
    const long = 'x'.repeat(5000);
    for (const params of [
      { event_types: [long, long] },
      { fetch_event_types: [long, long] },
      { event_types: Array.from({ length: 201 }, () => 'message') },
      {
        narrow: [
          ['channel', long],
          ['topic', long],
        ],
      },
      { narrow: Array.from({ length: 101 }, () => ['is', 'dm']) },
    ]) {
      const refusal = { result: 'error', code: 'BAD_REQUEST' };
      expect(await alice.post('/register', params)).toMatchObject(refusal);
    }
  });
});
