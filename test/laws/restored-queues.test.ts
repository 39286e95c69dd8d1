import { randomUUID } from 'node:crypto';

import { systemClock } from '@parley/kit';
import { registeredId } from '@parley/protocol';
import { createRegistry, createSigner } from '@parley/redis';
import { expect, test } from 'vitest';

import { getWorld, realm } from '../support/index.ts';

/** A queue of an account, and what renews its record as another node does that knows a term of it. */
async function openQueue() {
  const { redis, secret } = await getWorld();
  const { alice } = await realm();
  const { queueId } = await alice.listen();
  const registry = createRegistry(redis, createSigner([secret]), systemClock);
  const { record } = await registry.lookUp(queueId);
  if (!record) throw new Error('The queue is not registered.');
  const renew = async (position: { seq: number; term: string }, knownTerm: string, isVouchedFor = true) => {
    const renewed = { record: { ...record, position }, ttlSeconds: 600, isHolder: false };
    const left = await registry.renew([{ ...renewed, isVouchedFor, knownTerm }], 'another');
    const { position: stands } = (await registry.lookUp(queueId)).record ?? {};
    return { seq: stands?.seq, left: left.map((one) => one.position?.seq) };
  };
  return { alice, registry, record, renew, registered: record.position?.term ?? '' };
}

test('a record that its node does not vouch for is written where there is none, and over no other', async () => {
  const { registry, record, renew, registered } = await openQueue();
  expect(await renew({ seq: 9, term: 'b' }, registered)).toEqual({ seq: 9, left: [] });
  expect(await renew({ seq: 8, term: 'b' }, 'b', false)).toEqual({ seq: 9, left: [] });
  await registry.remove(record);
  expect(await renew({ seq: 8, term: 'b' }, 'b', false)).toEqual({ seq: 8, left: [] });
});

test('a record of a term that its writer does not know is left, and returned', async () => {
  const { registry, record, renew, registered } = await openQueue();
  expect(await renew({ seq: 9, term: 'b' }, registered)).toEqual({ seq: 9, left: [] });
  expect(await renew({ seq: 12, term: 'a' }, registered)).toEqual({ seq: 9, left: [9] });
  expect(await renew({ seq: 10, term: 'b' }, registered), 'its own').toEqual({ seq: 10, left: [] });
  expect(await renew({ seq: 7, term: 'c' }, 'b'), 'what it knows').toEqual({ seq: 7, left: [] });
  await registry.remove(record);
  expect(await renew({ seq: 12, term: 'a' }, registered), 'what is not there').toEqual({ seq: 12, left: [] });
});

test('a node that was not told of the present holder of a queue leaves it there when it expires the queue', async () => {
  const { registry, record } = await openQueue();
  const isThere = async () => (await registry.lookUp(record.id)).record !== null;
  await registry.setHolder(record.id, 'a', 600);
  await registry.setHolder(record.id, 'b', 600);
  await registry.expire([record], 'a');
  expect(await isThere()).toBe(true);
  await registry.expire([record], 'b');
  expect(await isThere()).toBe(false);
});

test('a queue whose id says nothing of its realm is served and deleted like any other', async () => {
  const { alice, registry, record } = await openQueue();
  const { bot } = await realm();
  const older = { ...record, id: randomUUID() };
  await registry.add({ record: older, ttlSeconds: 600 }, 100);
  const params = { queue_id: older.id, last_event_id: registeredId(older), dont_block: true };
  const poll = () => alice.get('/events', params);

  await alice.post('/messages', { type: 'direct', to: [alice.id], content: 'to myself' });

  const { events } = await poll();
  expect(events).toMatchObject([{ type: 'message', message: { content: 'to myself' } }]);
  expect(await bot.get('/events', params)).toMatchObject({ result: 'error' });
  expect(await alice.delete('/events', { queue_id: older.id })).toMatchObject({ result: 'success' });
  expect(await poll()).toMatchObject({ code: 'BAD_EVENT_QUEUE_ID' });
});
