import { expect, test } from 'vitest';

import { capacityFor } from '../load/capacity.ts';

const limits = { openFiles: 20_000, sourcePorts: 28_232, hasManyAddresses: true };
const asked = { connections: 50_000, queueNodes: 3 };

test('tens of thousands of clients come from as many addresses as they need', async () => {
  const { most, addresses } = await capacityFor(asked, limits, 2);
  expect(most).toBeGreaterThan(50_000);
  expect(new Set(addresses).size).toBe(7);
  const fewPorts = await capacityFor(asked, { ...limits, sourcePorts: 2500 }, 2);
  expect(new Set(fewPorts.addresses).size).toBe(25);
});

test('a few have two, so that nothing is true of one alone', async () => {
  expect((await capacityFor({ ...asked, connections: 100 }, limits, 2)).addresses).toHaveLength(2);
});

test('where there is one address, no more connect than have ports there', async () => {
  const { most, because, addresses } = await capacityFor(asked, { ...limits, hasManyAddresses: false }, 2);
  expect(new Set(addresses)).toEqual(new Set(['127.0.0.1']));
  expect(addresses).toHaveLength(3);
  expect(most).toBe(19_500);
  expect(because).toBe('all clients have one address here, from which 19500 fit');
});

test('what the cluster cannot hold is said', async () => {
  const { most, because } = await capacityFor(asked, { ...limits, openFiles: 2000 }, 2);
  expect(most).toBe(5415);
  expect(because).toBe(
    'the cluster holds 5700 (limit: files of the queue nodes, 3 × 2000; 5700 from one address)',
  );
});
