import { readFile } from 'node:fs/promises';

import { expect, test } from 'vitest';

import { type Deployment, type Figures, capacityOf } from '../capacity/model.ts';

const figures = JSON.parse(
  await readFile(new URL('../../docs/figures.json', import.meta.url), 'utf8'),
) as Figures;
const deployment: Deployment = {
  users: 1_000_000,
  realms: 2000,
  largest: 100_000,
  online: 0.3,
  queuesPerUser: 1.3,
  audience: 50,
};
const needOf = (part: string, change: Partial<Deployment> = {}) => {
  const { needs, limits } = capacityOf({ ...deployment, ...change }, figures);
  return [...needs, ...limits].find((need) => need.part === part)?.amount ?? Number.NaN;
};

test('a need grows with what it is for, and with nothing else', () => {
  expect(needOf('api nodes', { users: 2_000_000 })).toBeGreaterThan(1.8 * needOf('api nodes'));
  expect(needOf('api nodes', { largest: 900_000 })).toBe(needOf('api nodes'));
  expect(needOf('memory of polls', { queuesPerUser: 2.6 })).toBeCloseTo(2 * needOf('memory of polls'), 0);
  expect(needOf('the log of the largest realm', { largest: 200_000 })).toBeGreaterThan(
    1.5 * needOf('the log of the largest realm'),
  );
  expect(needOf('queue nodes', { audience: 500_000 })).toBeGreaterThan(needOf('queue nodes'));
});

test('so many queue nodes hold all polls', () => {
  expect(needOf('queue nodes') * 19_000).toBeGreaterThanOrEqual(390_000);
});

test('every part says what it stands on', () => {
  const { needs, limits } = capacityOf(deployment, figures);
  for (const { because, amount } of [...needs, ...limits]) {
    expect(because).not.toContain('NaN');
    expect(amount).toBeGreaterThan(0);
  }
});
