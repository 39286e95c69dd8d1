import { heldMemory, memoryBudget } from '@parley/kit';
import { expect, test } from 'vitest';

import { createSharedStates } from './shared-state.ts';

test('shared parts of registrations are bounded in bytes, and the least recently used are read again', async () => {
  const states = createSharedStates(memoryBudget('registrations'));
  const size = memoryBudget('registrations') / 8;
  const reads: number[] = [];
  const register = async (realmId: number) => {
    const head = { realmId, epoch: 'e', term: 't', rulesVersion: 1, seq: 1 };
    // Safe: where the log has not gone on, nothing is read in the transaction.
    const state = await states.at(undefined as never, head as never);
    const read = async () => {
      reads.push(realmId);
      return await Promise.resolve('x'.repeat(size));
    };
    expect((await state.shareGroups('all', read)).length).toBe(size + 2);
  };
  // Each counts twice, plain and compressed: there is room for three.
  for (const realmId of [1, 2, 3, 1, 4]) await register(realmId);
  expect(reads).toEqual([1, 2, 3, 4]);
  const [held] = [...heldMemory()].filter(({ name }) => name === 'registrations');
  expect(held?.bytes).toBeLessThanOrEqual(memoryBudget('registrations'));
  await register(1);
  await register(2);
  expect(reads).toEqual([1, 2, 3, 4, 2]);
});
