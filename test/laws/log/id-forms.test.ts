import { randomUUID } from 'node:crypto';

import { systemClock } from '@parley/kit';
import { Client, type IdForm, QueueRecord } from '@parley/protocol';
import { createIdForms, createRegistry, createSigner, keys } from '@parley/redis';
import { expect, test } from 'vitest';

import { getWorld, openEmptyRedis } from '../../support/index.ts';

/** A Redis that no other test uses: nodes are known to all of a server. */
async function open() {
  const { secret } = await getWorld();
  const { redis } = await openEmptyRedis();
  return { redis, signer: createSigner([secret]), [Symbol.dispose]: () => redis.disconnect() };
}

test('new queues get dense ids unless a queue node that cannot count them runs or ran a moment ago', async () => {
  using opened = await open();
  const { redis, signer } = opened;
  let nowMs = 1_000_000;
  const clock = { nowMs: () => nowMs };
  const ask = () => createIdForms(redis, signer, clock)();
  /** What a node says of itself; those of older versions say nothing of ids. */
  const announce = async (role: string, more: object) => {
    const said = { role, host: 'h', pid: 1, startedMs: 0, saidMs: nowMs, measured: {}, ...more };
    await redis.hset(keys.nodes, role, signer.sign('node', JSON.stringify(said)));
  };

  expect(await ask(), 'without any node').toBe('dense');
  await announce('queue', { idForms: ['wide', 'dense'] });
  await announce('api', {});
  expect(await ask(), 'other roles do not matter').toBe('dense');
  await announce('queue', {});
  expect(await ask()).toBe('wide');
  nowMs += 60_000;
  expect(await ask(), 'it may be started again').toBe('wide');
  expect(await redis.ttl(keys.wideIds)).toBeGreaterThan(600);
  await redis.del(keys.wideIds);
  expect(await ask()).toBe('dense');
});

test('Redis is asked every two seconds, and queues get the old ids while it does not answer', async () => {
  using opened = await open();
  const { redis, signer } = opened;
  let nowMs = 1_000_000;
  const idForm = createIdForms(redis, signer, { nowMs: () => nowMs });
  expect(await idForm()).toBe('dense');
  await redis.set(keys.wideIds, 1);
  expect(await idForm()).toBe('dense');
  nowMs += 2000;
  expect(await idForm()).toBe('wide');
  await redis.del(keys.wideIds);
  await redis.set(keys.nodes, 'no hash');
  nowMs += 2000;
  expect(await idForm()).toBe('wide');
  await redis.del(keys.nodes);
  expect(await idForm(), 'it is asked again at once').toBe('dense');
});

test('nodes of older versions read the record of a queue with old ids, and of no other', async () => {
  using opened = await open();
  const { redis, signer } = opened;
  const registry = createRegistry(redis, signer, systemClock);
  for (const idForm of ['wide', 'dense'] satisfies IdForm[]) {
    const record = QueueRecord.parse({
      id: randomUUID(),
      realmId: 1,
      realm: 'zed',
      epoch: 'e',
      userId: 10,
      eventTypes: null,
      client: Client.parse({}),
      narrow: [],
      allPublicStreams: false,
      registeredAt: 5,
      idForm,
      idleSeconds: 600,
    });
    await registry.add({ record, ttlSeconds: 600 }, 10);
    expect((await registry.lookUp(record.id)).record).toEqual(record);
    const signed = String(await redis.get(keys.queue(record.id)));
    expect(signer.verify('queue', signed) !== null).toBe(idForm === 'wide');
    const forged = signer.sign('queue', JSON.stringify({ ...record, idForm: 'dense' }));
    await redis.set(keys.queue(record.id), forged);
    expect((await registry.lookUp(record.id)).record).toBeNull();
  }
});
