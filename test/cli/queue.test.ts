import { expect, test } from 'vitest';

import { headOf, parley, parleyJson, realm, subscribe, tell, withProcesses } from '../support/index.ts';

interface Queues {
  count: number;
  nodes: Record<string, number>;
  queues: { queue_id: string; email: string; node: string | null; cursor: number; behind: number }[];
}

test('queues are listed with who polls them, where, and how far behind', withProcesses, async () => {
  const { realm: home, alice, bob } = await realm();
  const list = (...args: string[]) => parleyJson<Queues>(['queue', 'list', '--realm', home.name, ...args]);
  const [phone, tablet] = [await bob.listen(), await alice.listen({ event_types: ['presence'] })];
  const registeredAt = await headOf(home.id);
  await subscribe(alice, 'news', [alice, bob]);
  await phone.hears();
  const waiting = phone.poll({ event_types: ['presence'] });

  const head = await headOf(home.id);
  const { count, nodes, queues } = await list();
  expect(count).toBe(2);
  const behind = head - registeredAt;
  expect(behind).toBeGreaterThan(0);
  expect(queues).toContainEqual(
    expect.objectContaining({ queue_id: tablet.queueId, email: alice.email, node: null, behind }),
  );
  const polled = queues.find(({ queue_id }) => queue_id === phone.queueId);
  expect(polled).toMatchObject({ email: bob.email });
  // A node is known by its process.
  expect(polled?.node).toContain(`:${process.pid}:`);
  expect(nodes).toEqual({ [String(polled?.node)]: 1 });
  expect((await list('--limit', '1')).queues).toHaveLength(1);

  await tell(alice, [bob]);
  await waiting;
  const text = await parley(['queue', 'list']);
  expect(text).toMatchObject({ code: 0, stdout: expect.stringContaining(bob.email) });
  const without = await parley(['queue', 'list'], { env: { REDIS_URL: undefined } });
  expect(without).toMatchObject({ code: 1, stderr: expect.stringContaining('REDIS_URL') });
});
