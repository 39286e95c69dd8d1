import { systemClock } from '@parley/kit';
import { createRegistry, createSigner } from '@parley/redis';
import { expect, test } from 'vitest';

import { getWorld, realm } from '../support/index.ts';

test('a record that its node does not vouch for is written where there is none, and over no other', async () => {
  const { redis, secret } = await getWorld();
  const { alice } = await realm();
  const { queueId } = await alice.listen();
  const registry = createRegistry(redis, createSigner([secret]), systemClock);
  const { record } = await registry.lookUp(queueId);
  if (!record) throw new Error('The queue is not registered.');
  const renew = async (seq: number, isVouchedFor: boolean) => {
    const renewed = { ...record, position: { seq, term: 'term' } };
    await registry.renew([{ record: renewed, ttlSeconds: 600, isHolder: false, isVouchedFor }], 'another');
    return (await registry.lookUp(queueId)).record?.position?.seq;
  };
  expect(await renew(9, true)).toBe(9);
  expect(await renew(8, false)).toBe(9);
  await registry.remove(record);
  expect(await renew(8, false)).toBe(8);
});
