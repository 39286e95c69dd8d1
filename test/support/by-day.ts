import { expect, test } from 'vitest';

import { isNight, seed } from './seed.ts';

/** Whether this one of many is tried: by day one in so many, the next day those after them; by night all. */
export const isOfToday = (at: number, oneIn: number): boolean => isNight || (at + seed) % oneIn === 0;

/** Shows what a day leaves out as a test that is not run; the night, which runs it, leaves out nothing. */
export function testNothingLeftOut(what: string, { left, of }: { left: number; of: number }): void {
  const tried = `${of - left} of ${of}`;
  test.runIf(isNight)(`nothing is left out: ${what} (${tried} with SEED=${seed})`, () => {
    expect(left).toBe(0);
  });
}
