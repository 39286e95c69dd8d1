import { heldMemory } from '@parley/kit';

import { gauge } from './metrics.ts';

const held = gauge('parley_memory_bytes', 'Memory that counts against a budget of this process', ['budget']);
const heldMax = gauge('parley_memory_bytes_max', 'The most memory that a budget of this process allows', [
  'budget',
]);

/** Shows from now on what counts against the budgets of this process. */
export function measureMemory(): void {
  held.watch((set) => {
    for (const { name, bytes } of heldMemory()) set(bytes, { budget: name });
  });
  heldMax.watch((set) => {
    for (const { name, bytesMax } of heldMemory()) set(bytesMax, { budget: name });
  });
}
