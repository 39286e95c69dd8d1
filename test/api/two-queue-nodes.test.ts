import { describe, expect, test, vi } from 'vitest';

import {
  type Json,
  type Listener,
  type Person,
  getWorld,
  headOf,
  positionOf,
  realm,
  succeed,
  tell,
} from '../support/index.ts';

/** Asks for events at a queue node. */
async function pollAt(
  who: Person,
  { queueId, lastEventId }: Listener,
  port: number,
  more: object = {},
): Promise<Json> {
  const params = { queue_id: queueId, last_event_id: lastEventId, ...more };
  return (await who.ask('GET', '/events', params, { port })).body;
}

/** Two queue nodes, and a client that has been at both. */
async function atTwoNodes() {
  const people = await realm();
  const world = await getWorld();
  const other = await world.startQueue();
  const phone = await people.bob.listen();
  const [here, there] = [world.ports.queue, other.port];
  for (const port of [here, there]) await succeed(pollAt(people.bob, phone, port, { dont_block: true }));
  let holder: string | null = null;
  /** A poll that waits at a node, once its node holds the queue and hears of whoever takes it over. */
  async function waitAt(port: number): Promise<{ answer: Promise<Json> }> {
    const answer = pollAt(people.bob, phone, port);
    await vi.waitUntil(
      async () => {
        const now = await world.redis.get(`parley:{q:${phone.queueId}}:holder`);
        if (now === null || now === holder) return false;
        const [, listening] = await world.redis.pubsub('NUMSUB', `parley:queues-taken:${now}`);
        if (Number(listening) === 0) return false;
        holder = now;
        return true;
      },
      { timeout: 60_000 },
    );
    return { answer };
  }
  return {
    ...people,
    phone,
    here,
    there,
    other,
    waitAt,
    [Symbol.asyncDispose]: () => other[Symbol.asyncDispose](),
  };
}

describe('a queue that is asked for at two nodes', () => {
  test('is answered by the one that drains, and goes on at the other', async () => {
    const { alice, bob, here, there, other, waitAt } = await atTwoNodes();
    const { answer } = await waitAt(there);
    await other.drain();
    await other[Symbol.asyncDispose]();
    expect(await answer).toMatchObject({ result: 'success', events: [{ type: 'heartbeat' }] });
    const next = await waitAt(here);
    await tell(alice, [bob], 'later');
    expect((await next.answer).events).toContainEqual(
      expect.objectContaining({ message: expect.objectContaining({ content: 'later' }) }),
    );
  });

  test('waits at the last alone', async () => {
    await using nodes = await atTwoNodes();
    const { alice, bob, here, there, waitAt } = nodes;
    const first = await waitAt(here);
    const second = await waitAt(there);
    expect(await first.answer).toMatchObject({ result: 'success', events: [] });
    const third = await waitAt(here);
    expect(await second.answer).toMatchObject({ result: 'success', events: [] });
    await tell(alice, [bob], 'once');
    expect(await third.answer).toMatchObject({ events: [{ message: { content: 'once' } }] });
  });

  test('is ended at both', async () => {
    await using nodes = await atTwoNodes();
    const { bob, phone, here, there, waitAt } = nodes;
    const { answer } = await waitAt(here);
    await bob.ask('DELETE', '/events', { queue_id: phone.queueId }, { port: there });
    expect((await answer).events).toEqual([]);
    for (const port of [here, there]) {
      expect(await pollAt(bob, phone, port, { dont_block: true })).toMatchObject({
        code: 'BAD_EVENT_QUEUE_ID',
      });
    }
  });

  test('is told the same, with the same ids', async () => {
    await using nodes = await atTwoNodes();
    const { alice, bob, realm: home, phone, here, there } = nodes;
    for (const content of ['one', 'two']) await tell(alice, [bob], content);
    // Both nodes have passed the log's end.
    const last_event_id = await positionOf(phone.queueId, await headOf(home.id));
    for (const port of [here, there]) {
      await succeed(pollAt(bob, phone, port, { last_event_id, dont_block: true }));
    }
    const answer = await pollAt(bob, phone, here);
    expect(answer.events).toHaveLength(2);
    expect(await pollAt(bob, phone, there)).toEqual(answer);
  });
});
