import { expect, test } from 'vitest';

import { capacityOf, readSystemLimits, sizeOf } from './capacity.ts';

const perAddress = 20_000;
const few = { openFiles: 1124, sourcePorts: 28_232, hasManyAddresses: true };
const many = { ...few, openFiles: 100_100 };
const elsewhere = { ...many, hasManyAddresses: false };

test('the proxy has workers for all that its queue nodes hold, as far as that goes', () => {
  expect(sizeOf(few, 1, 2)).toEqual({ workers: 2, sources: [] });
  expect(sizeOf(few, 3, 2).workers).toBe(6);
  expect(sizeOf(few, 30, 2).workers).toBe(60);
  expect(sizeOf(few, 100, 2).workers).toBe(64);
  expect(sizeOf(few, 1, 2, 16).workers, 'for nodes that may come').toBe(8);
  expect(sizeOf(few, 1, 64).workers).toBe(4);
});

test('the proxy has addresses for all that a queue node holds, where there are any', () => {
  expect(sizeOf({ ...many, openFiles: 14_000 }, 2, 2).sources).toEqual(['127.0.0.2', '127.0.0.3']);
  expect(sizeOf(many, 2, 2).sources).toHaveLength(15);
  expect(sizeOf({ ...many, openFiles: 10_000_000 }, 2, 2).sources).toHaveLength(64);
  expect(sizeOf(elsewhere, 2, 2).sources).toEqual([]);
});

test('what runs out first says how many polls can wait', () => {
  const nodes = (queueNodes: number) => ({ queueNodes, perAddress });
  expect(capacityOf(few, sizeOf(few, 3, 2), nodes(3))).toEqual({
    polls: 3072,
    scarcest: 'files of the queue nodes, 3 × 1124; 3072 from one address',
  });
  expect(capacityOf(few, { workers: 1, sources: [] }, nodes(3))).toEqual({
    polls: 512,
    scarcest: 'connections of the proxy, 1 × 1024; 512 from one address',
  });
  expect(capacityOf(elsewhere, sizeOf(elsewhere, 2, 2), nodes(2))).toEqual({
    polls: 56_464,
    scarcest: "ports of the proxy's address, 2 × 28232; 20000 from one address",
  });
  expect(capacityOf(many, sizeOf(many, 2, 2), nodes(2))).toEqual({
    polls: 200_000,
    scarcest: 'files of the queue nodes, 2 × 100100; 20000 from one address',
  });
  const endless = { ...many, openFiles: 10_000_100 };
  expect(capacityOf(endless, sizeOf(endless, 2, 2), nodes(2))).toEqual({
    polls: 3_252_326,
    scarcest: "ports of the proxy's 64 addresses, 2 × 1626163; 20000 from one address",
  });
});

test('the limits of this system are read', async () => {
  const { openFiles, sourcePorts } = await readSystemLimits();
  expect(openFiles).toBeGreaterThan(100);
  expect(sourcePorts).toBeGreaterThan(0);
});
