import { describe, expect, test } from 'vitest';

import { nextStep } from './steps.ts';

/** All steps until what there is is shown. */
function stepsTo(shown: readonly number[], ids: readonly number[]) {
  const steps = [];
  let at = shown;
  for (;;) {
    const step = nextStep(at, ids);
    if (step.ids === at) return steps;
    steps.push(step);
    at = step.ids;
    expect(steps.length).toBeLessThan(4);
  }
}

const elsewhere = { isAtStart: false, isReplaced: false };
const atStart = { isAtStart: true, isReplaced: false };
const replaced = { isAtStart: false, isReplaced: true };

describe('steps of what is shown', () => {
  test.each([
    ['nothing changes', [1, 2], [1, 2], []],
    ['newer ones come', [1, 2], [1, 2, 3], [{ ids: [1, 2, 3], ...elsewhere }]],
    ['older ones come', [3, 4], [1, 2, 3, 4], [{ ids: [1, 2, 3, 4], ...atStart }]],
    ['the oldest are left out', [1, 2, 3], [3], [{ ids: [3], ...atStart }]],
    ['one in the middle goes', [1, 2, 3], [1, 3], [{ ids: [1, 3], ...elsewhere }]],
    ['all are others', [1, 2], [8, 9], [{ ids: [8, 9], ...replaced }]],
    ['the first ones come', [], [1], [{ ids: [1], ...replaced }]],
    ['the last one goes', [1], [], [{ ids: [], ...replaced }]],
    [
      'older ones come and the newest are left out',
      [3, 4, 5],
      [1, 2, 3],
      [
        { ids: [3], ...elsewhere },
        { ids: [1, 2, 3], ...atStart },
      ],
    ],
    [
      'newer ones come and the oldest are left out',
      [1, 2, 3],
      [3, 4],
      [
        { ids: [1, 2, 3, 4], ...elsewhere },
        { ids: [3, 4], ...atStart },
      ],
    ],
    ['the first one goes', [1, 2, 3], [2, 3], [{ ids: [2, 3], ...atStart }]],
  ])('%s', (_name, shown, ids, steps) => {
    expect(stepsTo(shown, ids)).toEqual(steps);
  });

  test('losses and additions at the start may be deferred', () => {
    const shown = [1, 2, 3];
    for (const deferral of ['losses', 'changes'] as const) {
      expect(nextStep(shown, [3, 4], deferral)).toEqual({ ids: [1, 2, 3, 4], ...elsewhere });
      expect(nextStep(shown, [3], deferral).ids).toBe(shown);
    }
    expect(nextStep(shown, [0, 1, 2, 3], 'losses')).toEqual({ ids: [0, 1, 2, 3], ...atStart });
    expect(nextStep(shown, [0, 1, 2, 3], 'changes').ids).toBe(shown);
    expect(nextStep(shown, [0, 1, 2, 3, 4], 'changes')).toEqual({ ids: [1, 2, 3, 4], ...elsewhere });
  });
});
