import { expect, test } from 'vitest';

import { capacityOf, readSystemLimits, workersFor } from './capacity.ts';

const perAddress = 20_000;
const few = { openFiles: 1124, sourcePorts: 28_232 };

test('the proxy has workers for all that its queue nodes hold, as far as that goes', () => {
  expect(workersFor(few, 1, 2)).toBe(2);
  expect(workersFor(few, 3, 2)).toBe(6);
  expect(workersFor(few, 30, 2)).toBe(8);
  expect(workersFor(few, 1, 64)).toBe(4);
});

test('what runs out first says how many polls can wait', () => {
  expect(capacityOf(few, { queueNodes: 3, workers: 6, perAddress })).toEqual({
    polls: 3072,
    scarcest: 'files of the queue nodes, 3 × 1124; 3072 from one address',
  });
  expect(capacityOf(few, { queueNodes: 3, workers: 1, perAddress })).toEqual({
    polls: 512,
    scarcest: 'connections of the proxy, 1 × 1024; 512 from one address',
  });
  const many = { openFiles: 1_000_000, sourcePorts: 28_232 };
  expect(capacityOf(many, { queueNodes: 2, workers: 2, perAddress })).toEqual({
    polls: 56_464,
    scarcest: "ports of the proxy's address, 2 × 28232; 20000 from one address",
  });
});

test('the limits of this system are read', async () => {
  const { openFiles, sourcePorts } = await readSystemLimits();
  expect(openFiles).toBeGreaterThan(100);
  expect(sourcePorts).toBeGreaterThan(0);
});
