import fc from 'fast-check';

import type { Answer } from './orders.ts';
import { createSchedule, runSchedule } from './schedule.ts';

const runsMax = 2000;

/** Leaves out of a schedule that fails what it fails without. Returns the operations that are left, by their places. */
export async function shrink(seed: number): Promise<Answer> {
  const all = createSchedule(seed).operations.map((_, index) => index);
  let best: { kept: readonly number[]; violations: readonly string[] } = { kept: all, violations: [] };
  let runs = 0;
  const holds = async (kept: readonly number[]) => {
    runs += 1;
    if (runs > runsMax) return true;
    const { violations } = await runSchedule(createSchedule(seed, kept));
    if (violations.length > 0) best = { kept, violations };
    return violations.length === 0;
  };
  await fc.check(fc.asyncProperty(fc.subarray(all), holds), { examples: [[all]], numRuns: 1 });
  return { kind: 'shrunk', ...best };
}
