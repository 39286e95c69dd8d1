import type { MergePlan } from '@parley/archive';
import { importLimits } from '@parley/protocol';
import { expect, test } from 'vitest';

import { presentPlan } from './present-plan.ts';

const counted = { here: 1, created: 2 };

/** A plan in which so many channels get another name. */
const planWith = (renamed: number): MergePlan => ({
  isDone: false,
  people: counted,
  channels: counted,
  emoji: counted,
  messages: counted,
  renamed: Array.from({ length: renamed }, (_, at) => ({ name: `ops-${at}`, as: `ops-${at} (imported)` })),
  leftOut: {},
});

test('a plan has all lines that there is room for', () => {
  expect(presentPlan(planWith(3), null)).toMatchObject({
    source: 'parley',
    people: counted,
    renamed_channels: [0, 1, 2].map((at) => ({ name: `ops-${at}`, as: `ops-${at} (imported)` })),
    lines_left_out: 0,
  });
});

test('a plan that would be larger than a row may be has fewer lines, and says how many are missing', () => {
  const plan = presentPlan(planWith(50_000), null);
  expect(JSON.stringify(plan).length).toBeLessThanOrEqual(importLimits.planBytes);
  expect(plan.renamed_channels.length).toBeGreaterThan(1000);
  expect(plan.renamed_channels.length + plan.lines_left_out).toBe(50_000);
});
